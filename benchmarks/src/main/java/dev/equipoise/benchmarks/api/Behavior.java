package dev.equipoise.benchmarks.api;

import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.Observed;
import dev.equipoise.protocol.TrainingPlan;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Behavior of a simulated agent in a run with one replica; it reports synthetic figures. */
sealed interface Behavior {

    /** Performs a run until it is over or the agent has lost it. */
    void perform(Assignment.Simulation run, Reporting reporting) throws InterruptedException;

    /** Reports all epochs at once. */
    record Brief() implements Behavior {

        @Override
        public void perform(Assignment.Simulation run, Reporting reporting)
                throws InterruptedException {
            if (reporting.report(ready())) {
                reporting.report(end(run));
            }
        }
    }

    /**
     * Reports points of its loss once a second, until the run is canceled.
     *
     * @param stored counts the points that the service has accepted
     */
    record Steady(int pointsPerSecond, LongAdder stored) implements Behavior {

        @Override
        public void perform(Assignment.Simulation run, Reporting reporting)
                throws InterruptedException {
            Schedule seconds = Schedule.every(Duration.ofSeconds(1), Duration.ZERO);
            int rounds = run.plan().division().rounds();
            boolean isOwn = reporting.report(ready());
            for (long step = 0; isOwn; step += pointsPerSecond) {
                seconds.await();
                isOwn =
                        reporting.report(
                                points(step, pointsPerSecond),
                                reached(step + pointsPerSecond, rounds));
                if (isOwn) {
                    stored.add(pointsPerSecond);
                }
            }
        }

        /**
         * @param rounds number of rounds of an epoch
         */
        private static AgentEvent reached(long step, int rounds) {
            int epoch = (int) ((step - 1) / rounds) + 1;
            int round = (int) ((step - 1) % rounds) + 1;
            return new RunReport.RoundReached(0, epoch, round);
        }
    }

    /**
     * Reports {@code points} points as fast as the service accepts them, and then all epochs.
     *
     * @param points a multiple of {@value #AT_ONCE}
     */
    record Bulk(int points) implements Behavior {

        static final int AT_ONCE = 5_000;

        @Override
        public void perform(Assignment.Simulation run, Reporting reporting)
                throws InterruptedException {
            boolean isOwn = reporting.report(ready());
            for (long step = 0; isOwn && step < points; step += AT_ONCE) {
                isOwn = reporting.report(next(step));
            }
            if (isOwn) {
                reporting.report(end(run));
            }
        }

        /** Creates the next {@value #AT_ONCE} points. */
        private static AgentEvent[] next(long after) {
            int most = Observed.MOST_POINTS;
            return IntStream.range(0, AT_ONCE / most)
                    .mapToObj(part -> Behavior.points(after + (long) part * most, most))
                    .toArray(AgentEvent[]::new);
        }
    }

    private static AgentEvent ready() {
        return new RunReport.ReplicaReady(0, 0, "synthetic");
    }

    /** Creates points of a falling, noisy loss, one per round of 20 ms. */
    private static Observed points(long after, int count) {
        List<Long> steps = LongStream.rangeClosed(after + 1, after + count).boxed().toList();
        return new Observed(
                0,
                Observed.TRAINING_LOSS,
                1,
                steps,
                steps.stream().map(step -> step / 50.0).toList(),
                steps.stream()
                        .map(step -> 2.3 / Math.sqrt(1 + step / 100.0) + (step % 7) / 50.0)
                        .toList(),
                0);
    }

    private static AgentEvent[] end(Assignment.Simulation run) {
        TrainingPlan plan = run.plan();
        AgentEvent[] events = new AgentEvent[plan.epochs() + 1];
        for (int epoch = 1; epoch <= plan.epochs(); epoch++) {
            events[epoch - 1] = epoch(plan, epoch, accuracy(run));
        }
        events[plan.epochs()] = new Outcome.Finished();
        return events;
    }

    /** Returns a distinct accuracy for each run, from 0.5 to 1. */
    private static double accuracy(Assignment.Simulation run) {
        return 0.5 + (run.run().value().hashCode() & 0xffff) / 131_072.0;
    }

    private static AgentEvent epoch(TrainingPlan plan, int epoch, double accuracy) {
        return new EpochFinished(
                0,
                epoch,
                plan.division().shares().getFirst(),
                new EpochFinished.Phases(1, 0, 0, 0, 0, 0),
                1,
                new EpochFinished.Traffic(0, 0, 0, 0),
                new EpochFinished.Updates(plan.division().rounds(), 0.1, List.of(), 0),
                1 - accuracy,
                new EpochFinished.Evaluated(accuracy, 1 - accuracy),
                null,
                null,
                "synthetic");
    }
}
