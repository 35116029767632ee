package dev.equipoise.benchmarks.codec;

import dev.equipoise.agent.codec.Codec;
import dev.equipoise.agent.codec.RowChoice;
import dev.equipoise.agent.codec.Sliced;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A codec to measure.
 *
 * @param elements of the vector that it takes
 * @param wanted GB/s of input when encoding, or null
 */
record Candidate(String name, Codec codec, int elements, @Nullable Double wanted) {

    /** The deviation of the elements, which are normal. */
    static final double DEVIATION = 0.01;

    /** What 5 % of normal elements exceed in magnitude. */
    private static final double FIVE_PERCENT = 1.96;

    private static final int BUCKET = 512;
    private static final int WIDTH = 256;

    static List<Candidate> all(int elements) {
        return List.of(
                new Candidate(
                        "threshold, 5 % pass",
                        Codec.threshold((float) (FIVE_PERCENT * DEVIATION)), elements, 2.0),
                new Candidate(
                        "adaptive threshold 1 %", Codec.adaptiveThreshold(0.01), elements, null),
                new Candidate("top-k 1 %", Codec.topK(0.01), elements, 0.5),
                new Candidate("random-k 1 %", Codec.randomK(0.01, true), elements, null),
                new Candidate("qsgd 4 bit", Codec.qsgd(4, BUCKET), elements, 0.8),
                new Candidate("qsgd 8 bit", Codec.qsgd(8, BUCKET), elements, null),
                new Candidate("sign", Codec.sign(), elements, 2.0),
                rows(elements));
    }

    /** The matrix of as many whole rows as the vector has. */
    private static Candidate rows(int elements) {
        int width = Math.min(WIDTH, elements);
        int rows = elements / width;
        Codec codec =
                Codec.sampledRows(
                        List.of(Sliced.byRows(rows, width, RowChoice.sampledBehind(0, 0.05))));
        return new Candidate("sampled rows 5 %", codec, rows * width, null);
    }
}
