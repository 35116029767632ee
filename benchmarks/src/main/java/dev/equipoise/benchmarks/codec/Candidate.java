package dev.equipoise.benchmarks.codec;

import dev.equipoise.agent.codec.Codec;
import dev.equipoise.agent.codec.RowSampledMatrix;
import dev.equipoise.agent.codec.RowSelection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A codec to measure.
 *
 * @param elements length of its input vector
 * @param wanted lower bound of the encoding speed, in GB/s of input; null without one
 */
record Candidate(String name, Codec codec, int elements, @Nullable Double wanted) {

    /** Standard deviation of the normal elements. */
    static final double DEVIATION = 0.01;

    /** Quantile that 5 % of standard normal elements exceed in magnitude. */
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

    /** Uses as many whole rows of a matrix as the vector has. */
    private static Candidate rows(int elements) {
        int width = Math.min(WIDTH, elements);
        int rows = elements / width;
        Codec codec =
                Codec.sampledRows(
                        List.of(
                                RowSampledMatrix.byRows(
                                        rows, width, RowSelection.sampledBehind(0, 0.05))));
        return new Candidate("sampled rows 5 %", codec, rows * width, null);
    }
}
