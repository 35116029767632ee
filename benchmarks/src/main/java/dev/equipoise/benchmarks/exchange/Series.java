package dev.equipoise.benchmarks.exchange;

import java.util.List;

/**
 * The sizes of the peers' scripts, and how often each is repeated.
 *
 * @param rounds that count
 */
record Series(long bytes, int rounds) {

    private static final int KIB = 1024;

    /** As the peers' scripts have it, from 4 KiB to 64 MiB. */
    static final List<Series> ALL =
            List.of(
                    new Series(4 * KIB, 500),
                    new Series(64 * KIB, 500),
                    new Series(1024 * KIB, 100),
                    new Series(4096 * KIB, 100),
                    new Series(16_384 * KIB, 30),
                    new Series(65_536L * KIB, 10));

    int warmUps() {
        return rounds / 2 + 3;
    }
}
