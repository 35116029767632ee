package dev.equipoise.performance.simulation;

import java.util.Arrays;

/**
 * A ring of which every step is played: a rank is done with step t when it was done with the one
 * before, and its left neighbour was and the chunk came over: {@code end(i, t) = max(end(i, t - 1),
 * end(i - 1, t - 1)) + step}. A sum takes 2 (P - 1) steps of a P-th of the bytes each, the first
 * half of them with additions; whole frames, where all want those of all, take P - 1.
 */
final class Ring implements Exchange {

    private final int ranks;
    private final double frameBytes;
    private final int addSteps;

    /** Of the step to each rank from its left neighbour, in seconds. */
    private final double[] addStep;

    private final double[] copyStep;
    private double bytes;
    private double[] before;
    private double[] after;

    private Ring(Scenario scenario, double frameBytes, int addSteps) {
        this.ranks = scenario.replicas();
        this.frameBytes = frameBytes;
        this.addSteps = addSteps;
        this.addStep = new double[ranks];
        this.copyStep = new double[ranks];
        this.before = new double[ranks + 1];
        this.after = new double[ranks + 1];
        for (int to = 0; to < ranks; to++) {
            int from = (to + ranks - 1) % ranks;
            copyStep[to] = scenario.links().seconds(from, to, frameBytes);
            addStep[to] =
                    copyStep[to]
                            + scenario.traffic().addSecondsPerByte()
                                    * scenario.traffic().vectorBytes()
                                    / ranks;
        }
    }

    /** Chunks are summed on their way, and the sums go round. */
    static Ring summing(Scenario scenario) {
        int ranks = scenario.replicas();
        return new Ring(scenario, scenario.traffic().frameBytes() / ranks, ranks - 1);
    }

    /** Every rank's frame goes round to all. */
    static Ring gathering(Scenario scenario) {
        return new Ring(scenario, scenario.traffic().frameBytes(), 0);
    }

    @Override
    public void play(double[] ready, double[] needed) {
        double last = 0;
        for (double it : ready) {
            last = Math.max(last, it);
        }
        Arrays.fill(needed, last);
        System.arraycopy(ready, 0, before, 1, ranks);
        for (int step = 0; step < addSteps; step++) {
            advance(addStep);
        }
        for (int step = 0; step < ranks - 1; step++) {
            advance(copyStep);
        }
        System.arraycopy(before, 1, ready, 0, ranks);
        bytes += (double) (addSteps + ranks - 1) * ranks * frameBytes;
    }

    /** Both arrays begin with the last rank, which is the left neighbour of the first. */
    private void advance(double[] step) {
        before[0] = before[ranks];
        for (int i = 0; i < ranks; i++) {
            after[i + 1] = Math.max(before[i], before[i + 1]) + step[i];
        }
        double[] swapped = before;
        before = after;
        after = swapped;
    }

    @Override
    public double bytes() {
        return bytes;
    }
}
