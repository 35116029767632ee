package dev.equipoise.agent.codec;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * A codec of one kind, for vectors of any length.
 *
 * @param keeps what the codec preserves of an element
 */
record TestingCodecs(String name, Keeps keeps, IntFunction<Codec> of) {

    enum Keeps {
        /** Every element exactly. */
        ALL,
        /** An element exactly, or zero. */
        SOME,
        /** The sign of an element, or zero. */
        SIGNS
    }

    /** Tells whether an element may be decoded to this value. */
    boolean allows(float element, float decoded) {
        return switch (keeps) {
            case ALL -> decoded == element;
            case SOME -> decoded == element || decoded == 0;
            case SIGNS -> decoded * element >= 0 && Float.isFinite(decoded);
        };
    }

    static Stream<TestingCodecs> all() {
        return Stream.of(
                new TestingCodecs("threshold", Keeps.SOME, _ -> Codec.threshold(1.5f)),
                new TestingCodecs("threshold 0", Keeps.ALL, _ -> Codec.threshold(0)),
                new TestingCodecs(
                        "adaptive threshold", Keeps.SOME, _ -> Codec.adaptiveThreshold(0.05)),
                new TestingCodecs("top-k 1 %", Keeps.SOME, _ -> Codec.topK(0.01)),
                new TestingCodecs("top-k 50 %", Keeps.SOME, _ -> Codec.topK(0.5)),
                new TestingCodecs("top-k 100 %", Keeps.ALL, _ -> Codec.topK(1)),
                new TestingCodecs("random-k", Keeps.SOME, _ -> Codec.randomK(0.1, false)),
                new TestingCodecs("unbiased random-k", Keeps.SIGNS, _ -> Codec.randomK(0.3, true)),
                new TestingCodecs("qsgd 2", Keeps.SIGNS, _ -> Codec.qsgd(2, 512)),
                new TestingCodecs("qsgd 4", Keeps.SIGNS, _ -> Codec.qsgd(4, 512)),
                new TestingCodecs("qsgd 4, 48", Keeps.SIGNS, _ -> Codec.qsgd(4, 48)),
                new TestingCodecs("qsgd 5", Keeps.SIGNS, _ -> Codec.qsgd(5, 77)),
                new TestingCodecs("qsgd 8", Keeps.SIGNS, _ -> Codec.qsgd(8, 1024)),
                new TestingCodecs("sign", Keeps.SIGNS, _ -> Codec.sign()),
                new TestingCodecs("sampled rows", Keeps.SOME, TestingCodecs::rows));
    }

    /** The codecs that error feedback accepts. */
    static Stream<TestingCodecs> forFeedback() {
        return all().filter(kind -> ErrorFeedback.violatedRule(kind.codec(1)).isEmpty());
    }

    /** Sampled rows with one row for each element, so that any length is a matrix. */
    private static Codec rows(int length) {
        RowSelection choice = RowSelection.first(3).and(RowSelection.sampledBehind(3, 0.2));
        return Codec.sampledRows(
                length == 0 ? List.of() : List.of(RowSampledMatrix.byRows(length, 1, choice)));
    }

    Codec codec(int length) {
        return of.apply(length);
    }

    @Override
    public String toString() {
        return name;
    }
}
