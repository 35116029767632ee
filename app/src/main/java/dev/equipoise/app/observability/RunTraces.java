package dev.equipoise.app.observability;

import dev.equipoise.app.run.RunEvent;
import dev.equipoise.app.run.RunState;
import dev.equipoise.app.run.RunTimeline.TimedEvent;
import dev.equipoise.app.run.RunTimeline.Timeline;
import dev.equipoise.protocol.RunId;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.IdGenerator;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Exports one trace for each run. The trace id is the run's id and the id of the root span is half
 * of it, so that every instance of the service and every agent knows both, even after a restart,
 * without stored state. The spans are made from the run's events after its end.
 */
public class RunTraces implements AutoCloseable {

    private static final int MOST_QUEUED_SPANS = 20_000;

    private final @Nullable SdkTracerProvider spans;

    /**
     * @param collector null if traces are disabled
     */
    RunTraces(@Nullable SpanExporter collector) {
        this.spans = collector == null ? null : provider(collector);
    }

    private static SdkTracerProvider provider(SpanExporter collector) {
        return SdkTracerProvider.builder()
                .setIdGenerator(new RunIds())
                .setResource(
                        Resource.getDefault().toBuilder()
                                .put("service.name", "equipoise-service")
                                .build())
                .addSpanProcessor(
                        BatchSpanProcessor.builder(collector)
                                .setMaxQueueSize(MOST_QUEUED_SPANS)
                                .build())
                .build();
    }

    boolean areEnabled() {
        return spans != null;
    }

    /**
     * Returns the parent of a run's assignments as a W3C traceparent; null if traces are disabled.
     */
    public @Nullable String parent(RunId run) {
        return spans == null
                ? null
                : "00-%s-%s-%s"
                        .formatted(traceId(run), spanId(run), TraceFlags.getSampled().asHex());
    }

    private static String traceId(RunId run) {
        return run.toString().replace("-", "");
    }

    /**
     * Returns the lower half of the run's id; it is not 0, since a random UUID has fixed bits in
     * both halves.
     */
    private static String spanId(RunId run) {
        UUID id = run.value();
        return HexFormat.of().toHexDigits(id.getLeastSignificantBits());
    }

    /** Exports the trace of an ended run. Not thread-safe. */
    void export(Timeline timeline) {
        if (spans == null || timeline.events().isEmpty()) {
            return;
        }
        Tracer tracer = spans.get("dev.equipoise.app");
        Context parent =
                Context.root()
                        .with(
                                Span.wrap(
                                        SpanContext.create(
                                                traceId(timeline.run()),
                                                spanId(timeline.run()),
                                                TraceFlags.getSampled(),
                                                TraceState.getDefault())));
        for (RunInterval interval : RunInterval.of(timeline)) {
            tracer.spanBuilder(interval.kind().name().toLowerCase(Locale.ROOT))
                    .setParent(parent)
                    .setStartTimestamp(interval.from())
                    .setAttribute("equipoise.generation", interval.generation())
                    .startSpan()
                    .end(interval.until());
        }
        exportRoot(tracer, timeline);
    }

    private static void exportRoot(Tracer tracer, Timeline timeline) {
        Span root =
                RunIds.rootOf(
                        timeline.run(),
                        () ->
                                tracer.spanBuilder("run")
                                        .setNoParent()
                                        .setStartTimestamp(timeline.queuedAt())
                                        .setAttribute("equipoise.run", timeline.run().toString())
                                        .setAttribute("equipoise.experiment", timeline.experiment())
                                        .startSpan());
        boolean isPlaced = false;
        for (TimedEvent timed : timeline.events()) {
            if (isPlaced && timed.event() instanceof RunEvent.Placed placed) {
                note(root, "regrouped", timed.at(), attributes(placed));
            }
            describe(root, timed);
            isPlaced = isPlacedAfter(timed.event(), isPlaced);
        }
        root.end(timeline.events().getLast().at());
    }

    private static void describe(Span root, TimedEvent timed) {
        switch (timed.event()) {
            case RunEvent.State(RunState state) ->
                    root.setAttribute("equipoise.state", state.name());
            case RunEvent.SetBack back -> note(root, "set back", timed.at(), attributes(back));
            case RunEvent.Failed failed ->
                    root.setStatus(
                            StatusCode.ERROR,
                            failed.failure().code() + ": " + failed.failure().message());
            case RunEvent.Placed _,
                    RunEvent.Waits _,
                    RunEvent.Predicted _,
                    RunEvent.Progressed _,
                    RunEvent.Metrics _,
                    RunEvent.Epoch _,
                    RunEvent.Noted _ -> {}
        }
    }

    /** Whether a run has workers after an event: the next placement is then a reconfiguration. */
    private static boolean isPlacedAfter(RunEvent event, boolean isPlaced) {
        return switch (event) {
            case RunEvent.Placed _ -> true;
            case RunEvent.State(RunState state) -> isPlaced && state != RunState.QUEUED;
            default -> isPlaced;
        };
    }

    private static Attributes attributes(RunEvent.Placed placed) {
        return Attributes.builder()
                .put("equipoise.generation", placed.generation())
                .put("equipoise.ranks", placed.ranks().size())
                .build();
    }

    private static Attributes attributes(RunEvent.SetBack back) {
        return Attributes.builder()
                .put("equipoise.code", back.failure().code())
                .put("equipoise.message", back.failure().message())
                .put("equipoise.epoch", back.epoch())
                .build();
    }

    private static void note(Span span, String name, Instant at, Attributes attributes) {
        span.addEvent(name, attributes, at);
    }

    /** Exports the remaining spans, within a time limit. */
    @Override
    public void close() {
        if (spans != null) {
            spans.close();
        }
    }

    /** Generates random ids, except for the root span of a run. */
    private static final class RunIds implements IdGenerator {

        private static final ScopedValue<RunId> ROOT_OF = ScopedValue.newInstance();

        private final IdGenerator random = IdGenerator.random();

        static Span rootOf(RunId run, Supplier<Span> start) {
            return ScopedValue.where(ROOT_OF, run).call(start::get);
        }

        @Override
        public String generateSpanId() {
            return ROOT_OF.isBound() ? spanId(ROOT_OF.get()) : random.generateSpanId();
        }

        @Override
        public String generateTraceId() {
            return ROOT_OF.isBound() ? traceId(ROOT_OF.get()) : random.generateTraceId();
        }
    }
}
