package dev.equipoise.agent.instrument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.channel.TestingRanks;
import dev.equipoise.agent.time.TestingTime;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Observation;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.RunReport.Strand;
import dev.equipoise.protocol.RunReport.Traced;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class TracingTest {

    private static final long SECOND = 1_000_000_000;
    private static final long HOUR = 3_600 * SECOND;

    private final TestingTime time = new TestingTime();
    private final Channel alone = MemoryChannel.join(1).getFirst();
    private final ReadyTimestamps timestamps = new ReadyTimestamps(alone, time, 1, Arena.ofAuto());

    private static TrainingPlan plan(boolean trace, int epochs) {
        TrainingPlan plan = TestingPlan.tiny(2);
        return TestingPlan.with(
                TestingPlan.with(plan, epochs),
                new Observation(1, Observation.Replicas.NEVER, trace, false));
    }

    private List<Traced> traced(int epoch, Instruments instruments) {
        List<AgentEvent> events = new ArrayList<>();
        timestamps.settle(instruments);
        new Tracing(plan(true, 1), 0).report(epoch, instruments, timestamps, events::add);
        return events.stream().map(Traced.class::cast).toList();
    }

    private void advance(Instruments instruments, Phase phase, long nanos) {
        time.sleep(nanos);
        instruments.end(phase);
    }

    /** Rank 1 is ready 5 s after rank 0, and its clock is an hour ahead. */
    @Test
    void ranksShareOneClockAndAWaitPrecedesItsTransfer() {
        Map<Integer, AgentEvent> traced = new ConcurrentHashMap<>();

        TestingRanks.run(
                MemoryChannel.join(2),
                channel -> {
                    int rank = channel.rank();
                    var clock = new TestingTime();
                    clock.sleep(rank * HOUR);
                    var instruments = new Instruments(clock, channel, 100);
                    clock.sleep(rank == 0 ? SECOND : 6 * SECOND);
                    instruments.end(Phase.COMPUTE);
                    clock.sleep(rank == 0 ? 7 * SECOND : 2 * SECOND);
                    instruments.endExchange(TrafficKind.GRADIENT, List.of());
                    var both = new ReadyTimestamps(channel, clock, 3, Arena.ofAuto());
                    both.settle(instruments);
                    new Tracing(plan(true, 1), rank)
                            .report(1, instruments, both, event -> traced.put(rank, event));
                });

        assertThat(traced)
                .containsEntry(
                        0,
                        new Traced(
                                0,
                                1,
                                Strand.MAIN,
                                List.of(
                                        RunReport.Phase.COMPUTE,
                                        RunReport.Phase.WAIT,
                                        RunReport.Phase.TRANSFER),
                                List.of(0L, SECOND, 6 * SECOND),
                                List.of(SECOND, 5 * SECOND, 2 * SECOND),
                                0))
                .containsEntry(
                        1,
                        new Traced(
                                1,
                                1,
                                Strand.MAIN,
                                List.of(RunReport.Phase.COMPUTE, RunReport.Phase.TRANSFER),
                                List.of(0L, 6 * SECOND),
                                List.of(6 * SECOND, 2 * SECOND),
                                0));
    }

    @Test
    void backgroundThreadHasItsOwnTrace() {
        var instruments = new Instruments(time, alone, 100);
        var background = new Instruments(time, alone, 100);
        background.begin();
        advance(background, Phase.TRANSFER, 3);
        instruments.end(Phase.COMPUTE);
        instruments.add(background);
        background.begin();
        advance(background, Phase.TRANSFER, 4);
        instruments.end(Phase.COMPUTE);
        instruments.add(background);

        assertThat(traced(1, instruments))
                .extracting(Traced::strand, Traced::begun, Traced::nanos)
                .containsExactly(
                        tuple(Strand.MAIN, List.of(0L, 3L), List.of(3L, 4L)),
                        tuple(Strand.BACKGROUND, List.of(0L, 3L), List.of(3L, 4L)));
    }

    @Test
    void longEpochTakesSeveralEventsAndTheLastHasTheDroppedSlices() {
        var instruments = new Instruments(time, alone, Traced.MOST_SLICES + 1);
        for (int i = 0; i < Traced.MOST_SLICES + 3; i++) {
            advance(instruments, Phase.COMPUTE, 2);
        }

        assertThat(traced(4, instruments))
                .extracting(Traced::epoch, it -> it.phases().size(), Traced::dropped)
                .containsExactly(tuple(4, Traced.MOST_SLICES, 0L), tuple(4, 1, 2L));
    }

    @Test
    void epochNeverBeginsBeforeTheEndOfTheLastOne() {
        var tracing = new Tracing(plan(true, 2), 0);
        List<Traced> traced = new ArrayList<>();
        var instruments = new Instruments(time, alone, 10);
        advance(instruments, Phase.COMPUTE, 5);
        timestamps.settle(instruments);
        tracing.report(1, instruments, timestamps, event -> traced.add((Traced) event));
        var earlier = new TestingTime();
        var late = new Instruments(earlier, alone, 10);
        earlier.sleep(7);
        late.end(Phase.COMPUTE);
        tracing.report(2, late, timestamps, event -> traced.add((Traced) event));

        assertThat(traced).extracting(Traced::begun).containsExactly(List.of(0L), List.of(5L));
        assertThat(traced).extracting(Traced::nanos).containsExactly(List.of(5L), List.of(7L));
    }

    @Test
    void nothingIsTracedUnlessThePlanAsksForIt() {
        assertThat(Tracing.mostSlices(plan(false, 1))).isZero();
        var instruments = new Instruments(time, alone, 0);
        advance(instruments, Phase.COMPUTE, 5);
        timestamps.settle(instruments);

        new Tracing(plan(false, 1), 0)
                .report(
                        1,
                        instruments,
                        timestamps,
                        event -> {
                            throw new AssertionError(event);
                        });
    }

    @Test
    void slicesOfAllEpochsStayWithinTheLimit() {
        assertThat(Tracing.mostSlices(plan(true, 1))).isEqualTo(100_000);
        assertThat(Tracing.mostSlices(plan(true, 10_000))).isEqualTo(250);
    }
}
