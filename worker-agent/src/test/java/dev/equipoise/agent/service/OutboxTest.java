package dev.equipoise.agent.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.TestingEvents;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Outcome.Finished;
import dev.equipoise.protocol.Report;
import dev.equipoise.protocol.RunReport.Observed;
import dev.equipoise.protocol.RunReport.ReplicaReady;
import dev.equipoise.protocol.RunReport.RoundReached;
import dev.equipoise.protocol.RunReport.Traced;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OutboxTest {

    private static final AgentEvent READY = new ReplicaReady(0, 0.01, "00");

    private final Outbox outbox = new Outbox(TestingJournal.none(3));

    @Test
    void numbersEventsFromOneWithoutAGap() {
        outbox.add(READY);
        outbox.add(new RoundReached(0, 1, 1));
        assertThat(outbox.report()).isEqualTo(report(1, READY, new RoundReached(0, 1, 1)));
        outbox.confirm();

        outbox.add(epoch(1));
        assertThat(outbox.report()).isEqualTo(report(3, epoch(1)));
    }

    @Test
    void keepsAReportUntilItIsConfirmed() {
        outbox.add(READY);
        Report first = outbox.report();

        outbox.add(epoch(1));

        assertThat(outbox.report()).isSameAs(first);
        outbox.confirm();
        assertThat(outbox.report()).isEqualTo(report(2, epoch(1)));
    }

    @Test
    void newerProgressReplacesWaitingProgress() {
        for (int round = 1; round <= 1_000; round++) {
            outbox.add(new RoundReached(0, 1, round));
        }
        outbox.add(epoch(1));
        outbox.add(new RoundReached(0, 2, 1));
        outbox.add(new RoundReached(0, 2, 2));

        assertThat(outbox.report())
                .isEqualTo(
                        report(
                                1,
                                new RoundReached(0, 1, 1_000),
                                epoch(1),
                                new RoundReached(0, 2, 2)));
    }

    @Test
    void splitsEventsAboveTheLimitOfAReport() {
        for (int epoch = 1; epoch <= Report.MAX_EVENTS + 1; epoch++) {
            outbox.add(epoch(epoch));
        }

        assertThat(outbox.report().events()).hasSize(Report.MAX_EVENTS);
        outbox.confirm();
        assertThat(outbox.report())
                .isEqualTo(report(Report.MAX_EVENTS + 1, epoch(Report.MAX_EVENTS + 1)));
    }

    @Test
    void reportStaysWithinTheLimitOfSlices() {
        for (int part = 0; part < 4; part++) {
            outbox.add(TestingEvents.traced(1, Traced.MAX_SLICES));
        }
        outbox.add(epoch(1));

        AgentEvent part = TestingEvents.traced(1, Traced.MAX_SLICES);
        assertThat(outbox.report()).isEqualTo(report(1, part, part, part));
        outbox.confirm();
        assertThat(outbox.report()).isEqualTo(report(4, part, epoch(1)));
    }

    @Test
    void progressMayWaitButAnEpochIsUrgent() {
        outbox.add(new RoundReached(0, 1, 1));
        assertThat(outbox.isUrgent()).isFalse();

        outbox.add(epoch(1));
        assertThat(outbox.isUrgent()).isTrue();
    }

    @Test
    void isCompleteWhenTheLastEventIsConfirmed() {
        outbox.add(READY);
        outbox.report();
        outbox.confirm();
        assertThat(outbox.isComplete()).isFalse();

        outbox.add(new Finished());
        outbox.report();
        assertThat(outbox.isComplete()).isFalse();
        outbox.confirm();
        assertThat(outbox.isComplete()).isTrue();
        assertThat(outbox.isEmpty()).isTrue();
    }

    @Test
    void eventsBehindTheLastOneAreIgnored() {
        outbox.add(new Finished());
        outbox.add(new RoundReached(0, 1, 1));

        assertThat(outbox.report()).isEqualTo(report(1, new Finished()));
    }

    private static Observed curve(long first) {
        return new Observed(
                0,
                Observed.TRAINING_LOSS,
                1,
                LongStream.range(first, first + Observed.MAX_POINTS).boxed().toList(),
                Collections.nCopies(Observed.MAX_POINTS, 0.1),
                Collections.nCopies(Observed.MAX_POINTS, 2.0),
                0);
    }

    @Test
    void aboveTheLimitTheOldestPointsAreThinnedAndEpochsAreKept() {
        int curves = Outbox.MAX_BULK / curve(1).bulk() + 1;
        outbox.add(READY);
        outbox.report();
        for (int i = 0; i < curves; i++) {
            outbox.add(curve(1 + (long) i * Observed.MAX_POINTS));
            outbox.add(epoch(i + 1));
        }
        outbox.confirm();

        List<AgentEvent> told = new ArrayList<>();
        while (!outbox.isEmpty()) {
            told.addAll(outbox.report().events());
            outbox.confirm();
        }
        List<Observed> kept =
                told.stream().filter(Observed.class::isInstance).map(Observed.class::cast).toList();
        Observed oldest = kept.getFirst();
        assertThat(oldest.every()).isEqualTo(2);
        assertThat(oldest.steps()).hasSize(Observed.MAX_POINTS / 2).startsWith(2L, 4L, 6L);
        assertThat(oldest.dropped()).isEqualTo(Observed.MAX_POINTS / 2);
        assertThat(kept.getLast().dropped()).isZero();
        assertThat(kept.stream().mapToLong(it -> it.steps().size() + it.dropped()).sum())
                .isEqualTo((long) curves * Observed.MAX_POINTS);
        assertThat(told).hasSize(2 * curves);
    }

    @Test
    void aboveTheLimitTheOldestTracesLoseTheirSlices() {
        Traced full = TestingEvents.traced(1, Traced.MAX_SLICES);
        int traces = Outbox.MAX_BULK / full.bulk() + 1;
        for (int i = 0; i < traces; i++) {
            outbox.add(full);
        }

        assertThat(outbox.report().events().getFirst()).isEqualTo(full.withoutSlices());
    }

    private static Report report(long firstSequence, AgentEvent... events) {
        return new Report(3, firstSequence, List.of(events));
    }

    private static AgentEvent epoch(int epoch) {
        return TestingEvents.epoch(0, epoch, 100);
    }
}
