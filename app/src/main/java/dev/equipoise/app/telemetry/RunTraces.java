package dev.equipoise.app.telemetry;

import dev.equipoise.app.run.RunEvent;
import dev.equipoise.app.run.RunHistory.Moment;
import dev.equipoise.app.run.RunHistory.Story;
import dev.equipoise.app.run.RunState;
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
 * One trace of each run. Its id is the run's, and that of its first span is the half of it, so that
 * every instance of the service and every agent knows both, before and after a restart, and nothing
 * of a trace is kept anywhere: its spans are made of what the run's events tell, once it is over.
 */
public class RunTraces implements AutoCloseable {

    private static final int MOST_SPANS_WAITING = 20_000;

    private final @Nullable SdkTracerProvider spans;

    /**
     * @param collector null where nobody wants traces
     */
    RunTraces(@Nullable SpanExporter collector) {
        this.spans = collector == null ? null : provider(collector);
    }

    private static SdkTracerProvider provider(SpanExporter collector) {
        return SdkTracerProvider.builder()
                .setIdGenerator(new OfRuns())
                .setResource(
                        Resource.getDefault().toBuilder()
                                .put("service.name", "equipoise-service")
                                .build())
                .addSpanProcessor(
                        BatchSpanProcessor.builder(collector)
                                .setMaxQueueSize(MOST_SPANS_WAITING)
                                .build())
                .build();
    }

    boolean areWanted() {
        return spans != null;
    }

    /** What the parts of a run belong to, as the W3C writes it; null where nobody wants traces. */
    public @Nullable String parent(RunId run) {
        return spans == null
                ? null
                : "00-%s-%s-%s"
                        .formatted(traceId(run), spanId(run), TraceFlags.getSampled().asHex());
    }

    private static String traceId(RunId run) {
        return run.toString().replace("-", "");
    }

    /** A random UUID has bits that are set in both of its halves. */
    private static String spanId(RunId run) {
        UUID id = run.value();
        return HexFormat.of().toHexDigits(id.getLeastSignificantBits());
    }

    /** Tells of a run that is over. One thread at a time may call. */
    void tell(Story story) {
        if (spans == null || story.moments().isEmpty()) {
            return;
        }
        Tracer tracer = spans.get("dev.equipoise.app");
        Context parent =
                Context.root()
                        .with(
                                Span.wrap(
                                        SpanContext.create(
                                                traceId(story.run()),
                                                spanId(story.run()),
                                                TraceFlags.getSampled(),
                                                TraceState.getDefault())));
        for (Stretch stretch : Stretch.of(story)) {
            tracer.spanBuilder(stretch.kind().name().toLowerCase(Locale.ROOT))
                    .setParent(parent)
                    .setStartTimestamp(stretch.from())
                    .setAttribute("equipoise.generation", stretch.generation())
                    .startSpan()
                    .end(stretch.until());
        }
        tellWhole(tracer, story);
    }

    private static void tellWhole(Tracer tracer, Story story) {
        Span whole =
                OfRuns.firstOf(
                        story.run(),
                        () ->
                                tracer.spanBuilder("run")
                                        .setNoParent()
                                        .setStartTimestamp(story.queuedAt())
                                        .setAttribute("equipoise.run", story.run().toString())
                                        .setAttribute("equipoise.experiment", story.experiment())
                                        .startSpan());
        boolean isPlaced = false;
        for (Moment moment : story.moments()) {
            switch (moment.event()) {
                case RunEvent.State(RunState state) -> {
                    isPlaced &= state != RunState.QUEUED;
                    whole.setAttribute("equipoise.state", state.name());
                }
                case RunEvent.Placed placed -> {
                    if (isPlaced) {
                        note(
                                whole,
                                "regrouped",
                                moment.at(),
                                Attributes.builder()
                                        .put("equipoise.generation", placed.generation())
                                        .put("equipoise.ranks", placed.ranks().size())
                                        .build());
                    }
                    isPlaced = true;
                }
                case RunEvent.SetBack back ->
                        note(
                                whole,
                                "set back",
                                moment.at(),
                                Attributes.builder()
                                        .put("equipoise.code", back.failure().code())
                                        .put("equipoise.message", back.failure().message())
                                        .put("equipoise.epoch", back.epoch())
                                        .build());
                case RunEvent.Failed failed ->
                        whole.setStatus(
                                StatusCode.ERROR,
                                failed.failure().code() + ": " + failed.failure().message());
                case RunEvent.Waits _,
                        RunEvent.Predicted _,
                        RunEvent.Progressed _,
                        RunEvent.Metrics _,
                        RunEvent.Epoch _,
                        RunEvent.Noted _ -> {}
            }
        }
        whole.end(story.moments().getLast().at());
    }

    private static void note(Span span, String name, Instant at, Attributes attributes) {
        span.addEvent(name, attributes, at);
    }

    /** What is not told yet is told, if that can be done soon. */
    @Override
    public void close() {
        if (spans != null) {
            spans.close();
        }
    }

    /** Draws ids, but for those of the first span of a run. */
    private static final class OfRuns implements IdGenerator {

        private static final ScopedValue<RunId> FIRST = ScopedValue.newInstance();

        private final IdGenerator random = IdGenerator.random();

        static Span firstOf(RunId run, Supplier<Span> start) {
            return ScopedValue.where(FIRST, run).call(start::get);
        }

        @Override
        public String generateSpanId() {
            return FIRST.isBound() ? spanId(FIRST.get()) : random.generateSpanId();
        }

        @Override
        public String generateTraceId() {
            return FIRST.isBound() ? traceId(FIRST.get()) : random.generateTraceId();
        }
    }
}
