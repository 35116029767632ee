package dev.equipoise.agent.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.agent.TestingPlan;
import dev.equipoise.agent.service.RunNotes;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.testing.telemetry.TestingCollector;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunTracerIT {

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String ROOT = "b7ad6b7169203331";
    private static final String PARENT = "00-%s-%s-01".formatted(TRACE, ROOT);

    private static Assignment.Training part(@Nullable String traceparent) {
        return new Assignment.Training(
                AssignmentId.of(UUID.randomUUID()),
                3,
                RunId.of(UUID.randomUUID()),
                0,
                List.of(WorkerId.of(UUID.randomUUID())),
                "key",
                TestingPlan.tiny(1),
                null,
                null,
                traceparent);
    }

    /** Creates a tracer. Spans may arrive after its close, which waits at most 2 s for them. */
    private static RunTracer tracer(TestingCollector collector) {
        return RunTracer.fromEnvironment(
                Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url()), "alpha");
    }

    private static EpochFinished epoch(int number) {
        return new EpochFinished(
                0,
                number,
                128,
                new EpochFinished.Phases(1.5, 0.25, 0.5, 0.125, 0.0625, 0),
                3,
                new EpochFinished.Traffic(1000, 200, 30, 4),
                new EpochFinished.WeightUpdates(1, 0.1, List.of(), 0),
                0.5,
                null,
                null,
                null,
                "weights");
    }

    @Test
    void rankIsASpanOfItsRunWithConsecutiveParts() {
        try (TestingCollector collector = TestingCollector.start()) {
            try (RunTracer tracer = tracer(collector)) {
                RankTrace trace = tracer.begin(part(PARENT));
                trace.passed(RunNotes.Stage.MET);
                trace.passed(RunNotes.Stage.HAS_DATA);
                trace.heard(new RunReport.ReplicaReady(0, 0, "weights"));
                trace.heard(epoch(1));
                trace.heard(epoch(2));
                trace.end(new Outcome.Finished());
            }

            await().until(() -> collector.spans().size() == 6);
            Span rank = collector.named("rank 0").getFirst();
            assertThat(TestingCollector.hex(rank.getParentSpanId())).isEqualTo(ROOT);
            assertThat(collector.spans())
                    .allMatch(it -> TestingCollector.hex(it.getTraceId()).equals(TRACE))
                    .filteredOn(it -> !it.equals(rank))
                    .allMatch(it -> it.getParentSpanId().equals(rank.getSpanId()))
                    .extracting(Span::getName)
                    .containsExactlyInAnyOrder("meet", "data", "prepare", "epoch", "epoch");
            assertThat(collector.named("epoch").getFirst().getAttributesList())
                    .extracting(KeyValue::getKey)
                    .contains(
                            "equipoise.epoch",
                            "equipoise.samples",
                            "equipoise.seconds.compute",
                            "equipoise.seconds.wait",
                            "equipoise.bytes.gradient");
        }
    }

    @Test
    void failedRankHasTheReason() {
        try (TestingCollector collector = TestingCollector.start()) {
            try (RunTracer tracer = tracer(collector)) {
                tracer.begin(part(PARENT))
                        .end(new Outcome.Failed(FailureCause.WORKER, "out-of-memory", "all"));
            }

            await().until(() -> collector.spans().size() == 1);
            Status status = collector.named("rank 0").getFirst().getStatus();
            assertThat(status.getCode()).isEqualTo(Status.StatusCode.STATUS_CODE_ERROR);
            assertThat(status.getMessage()).isEqualTo("out-of-memory: all");
        }
    }

    @Test
    void untracedRunHasNoSpans() {
        try (TestingCollector collector = TestingCollector.start();
                RunTracer tracer = tracer(collector)) {
            assertThat(tracer.begin(part(null))).isSameAs(RankTrace.NONE);
            assertThat(tracer.begin(part("no trace at all"))).isSameAs(RankTrace.NONE);
        }
    }

    @Test
    void withoutACollectorNothingIsTraced() {
        try (RunTracer tracer = RunTracer.fromEnvironment(Map.of(), "alpha")) {
            assertThat(tracer.begin(part(PARENT))).isSameAs(RankTrace.NONE);
        }
    }
}
