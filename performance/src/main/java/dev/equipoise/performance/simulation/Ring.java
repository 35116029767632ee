package dev.equipoise.performance.simulation;

import java.util.Arrays;

/**
 * Ring all-reduce, simulated step by step (docs/algorithms.md, section 9.3). A rank ends step t
 * after its own step t - 1, the step t - 1 of its left neighbor, and the transfer of the chunk:
 * {@code end(i, t) = max(end(i, t - 1), end(i - 1, t - 1)) + step}. A sum takes 2 (P - 1) steps of
 * 1/P of the bytes each, the first half of them with additions. An all-gather of whole frames takes
 * P - 1 steps.
 */
final class Ring implements Exchange {

    private final int ranks;
    private final double frameBytes;
    private final int addSteps;

    /** Seconds of an adding step to each rank from its left neighbor. */
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

    /** Creates an all-reduce. */
    static Ring summing(Scenario scenario) {
        int ranks = scenario.replicas();
        return new Ring(scenario, scenario.traffic().frameBytes() / ranks, ranks - 1);
    }

    /** Creates an all-gather of one frame per rank. */
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

    /** Simulates one step. Both arrays begin with the last rank, the left neighbor of the first. */
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
