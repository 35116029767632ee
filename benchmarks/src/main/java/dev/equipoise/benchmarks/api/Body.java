package dev.equipoise.benchmarks.api;

import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.AgentEvent.Observed;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.TrainingPlan;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** What a simulated agent makes of a run with one replica: figures that it has not computed. */
sealed interface Body {

    /** Returns when the run is over, or is the agent's no more. */
    void perform(Assignment.Simulation run, Reporting reporting) throws InterruptedException;

    /** All epochs at once. */
    record Brief() implements Body {

        @Override
        public void perform(Assignment.Simulation run, Reporting reporting)
                throws InterruptedException {
            if (reporting.tell(ready())) {
                reporting.tell(end(run));
            }
        }
    }

    /**
     * Points of its loss once a second, until somebody cancels the run.
     *
     * @param stored the points that the service has taken
     */
    record Steady(int pointsPerSecond, LongAdder stored) implements Body {

        @Override
        public void perform(Assignment.Simulation run, Reporting reporting)
                throws InterruptedException {
            Schedule seconds = Schedule.every(Duration.ofSeconds(1), Duration.ZERO);
            int rounds = run.plan().division().rounds();
            boolean isOwn = reporting.tell(ready());
            for (long step = 0; isOwn; step += pointsPerSecond) {
                seconds.await();
                long reached = step + pointsPerSecond;
                isOwn =
                        reporting.tell(
                                points(step, pointsPerSecond),
                                new AgentEvent.RoundReached(
                                        0,
                                        (int) ((reached - 1) / rounds) + 1,
                                        (int) ((reached - 1) % rounds) + 1));
                if (isOwn) {
                    stored.add(pointsPerSecond);
                }
            }
        }
    }

    /**
     * So many points as fast as they are taken, and then all epochs.
     *
     * @param points a multiple of {@value #AT_ONCE}
     */
    record Bulk(int points) implements Body {

        static final int AT_ONCE = 5_000;

        @Override
        public void perform(Assignment.Simulation run, Reporting reporting)
                throws InterruptedException {
            boolean isOwn = reporting.tell(ready());
            for (long step = 0; isOwn && step < points; step += AT_ONCE) {
                long first = step;
                isOwn =
                        reporting.tell(
                                IntStream.range(0, AT_ONCE / Observed.MOST_POINTS)
                                        .mapToObj(part ->
                                                Body.points(
                                                        first + (long) part * Observed.MOST_POINTS,
                                                        Observed.MOST_POINTS))
                                        .toArray(AgentEvent[]::new));
            }
            if (isOwn) {
                reporting.tell(end(run));
            }
        }
    }

    private static AgentEvent ready() {
        return new AgentEvent.ReplicaReady(0, 0, "made up");
    }

    /** A loss that falls and wavers, a point each round and a round each 20 ms. */
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
        events[plan.epochs()] = new AgentEvent.Finished();
        return events;
    }

    /** Some other number for every run, from 0.5 to 1. */
    private static double accuracy(Assignment.Simulation run) {
        return 0.5 + (run.run().value().hashCode() & 0xffff) / 131_072.0;
    }

    private static AgentEvent epoch(TrainingPlan plan, int epoch, double accuracy) {
        return new AgentEvent.EpochFinished(
                0,
                epoch,
                plan.division().shares().getFirst(),
                new AgentEvent.Phases(1, 0, 0, 0, 0, 0),
                1,
                new AgentEvent.Traffic(0, 0, 0, 0),
                new AgentEvent.Updates(plan.division().rounds(), 0.1, List.of(), 0),
                1 - accuracy,
                new AgentEvent.Evaluated(accuracy, 1 - accuracy),
                null,
                null,
                "made up");
    }
}
