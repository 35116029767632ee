package dev.equipoise.benchmarks.exchange;

import java.util.List;

/**
 * Series of exchanges of one size.
 *
 * @param rounds measured exchanges
 */
record Series(long bytes, int rounds) {

    private static final int KIB = 1024;

    /**
     * Sizes of the peers' scripts, from 4 KiB to 64 MiB. Each of our series lasts longer than
     * several time slices of the scheduler, so that other programs slow all series alike.
     */
    static final List<Series> ALL =
            List.of(
                    new Series(4 * KIB, 10_000),
                    new Series(64 * KIB, 5000),
                    new Series(1024 * KIB, 500),
                    new Series(4096 * KIB, 200),
                    new Series(16_384 * KIB, 30),
                    new Series(65_536L * KIB, 10));

    int warmUps() {
        return rounds / 2 + 3;
    }
}
