package dev.equipoise.agent.trace;

import dev.equipoise.protocol.Assignment;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Traces assignments whose run the service traces, and exports spans to a collector by OTLP over
 * HTTP, from a thread of its own.
 */
public final class RunTracer implements AutoCloseable {

    private static final String ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
    private static final String TRACES_ENDPOINT = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
    private static final String HEADERS = "OTEL_EXPORTER_OTLP_HEADERS";
    private static final String TRACEPARENT = "traceparent";
    private static final long FLUSH_SECONDS = 2;

    private final @Nullable SdkTracerProvider spans;

    private RunTracer(@Nullable SdkTracerProvider spans) {
        this.spans = spans;
    }

    /** Returns a tracer without a collector. */
    public static RunTracer none() {
        return new RunTracer(null);
    }

    /**
     * Creates a tracer for the collector that OpenTelemetry's variables name, if any.
     *
     * @param worker name of this agent
     * @throws IllegalArgumentException when the collector's address is invalid
     */
    public static RunTracer fromEnvironment(Map<String, String> environment, String worker) {
        String endpoint = endpoint(environment);
        if (endpoint.isBlank()) {
            return none();
        }
        OtlpHttpSpanExporterBuilder collector =
                OtlpHttpSpanExporter.builder().setEndpoint(endpoint);
        for (String header : environment.getOrDefault(HEADERS, "").split(",", -1)) {
            String[] field = header.split("=", 2);
            if (field.length == 2) {
                collector.addHeader(
                        field[0].strip(),
                        URLDecoder.decode(field[1].strip(), StandardCharsets.UTF_8));
            }
        }
        return new RunTracer(
                SdkTracerProvider.builder()
                        .setResource(
                                Resource.getDefault().toBuilder()
                                        .put("service.name", "equipoise-agent")
                                        .put("service.instance.id", worker)
                                        .build())
                        .addSpanProcessor(BatchSpanProcessor.builder(collector.build()).build())
                        .build());
    }

    private static String endpoint(Map<String, String> environment) {
        String traces = environment.getOrDefault(TRACES_ENDPOINT, "");
        String all = environment.getOrDefault(ENDPOINT, "");
        if (!traces.isBlank() || all.isBlank()) {
            return traces;
        }
        return all + (all.endsWith("/") ? "" : "/") + "v1/traces";
    }

    /** Starts the trace of a leased rank. */
    public RankTrace begin(Assignment assignment) {
        return switch (assignment) {
            case Assignment.Training training ->
                    begin(
                            training.traceparent(),
                            "rank " + training.rank(),
                            training,
                            training.rank());
            case Assignment.Simulation simulation ->
                    begin(simulation.traceparent(), "simulation", simulation, null);
            case Assignment.Profiling _, Assignment.LinkProfiling _ -> RankTrace.NONE;
        };
    }

    private RankTrace begin(
            @Nullable String traceparent,
            String name,
            Assignment assignment,
            @Nullable Integer rank) {
        if (spans == null || traceparent == null) {
            return RankTrace.NONE;
        }
        Context run =
                W3CTraceContextPropagator.getInstance()
                        .extract(Context.root(), traceparent, AS_HEADER);
        if (!Span.fromContext(run).getSpanContext().isValid()) {
            return RankTrace.NONE;
        }
        Tracer tracer = spans.get("dev.equipoise.agent");
        Span span =
                tracer.spanBuilder(name)
                        .setParent(run)
                        .setAttribute("equipoise.generation", assignment.generation())
                        .startSpan();
        if (rank == null) {
            return new TracedRank(tracer, span, false);
        }
        span.setAttribute("equipoise.rank", rank);
        return new TracedRank(tracer, span, true);
    }

    /** Exports the remaining spans for at most 2 s. */
    @Override
    public void close() {
        if (spans != null) {
            spans.shutdown().join(FLUSH_SECONDS, TimeUnit.SECONDS);
        }
    }

    private static final TextMapGetter<String> AS_HEADER =
            new TextMapGetter<>() {
                @Override
                public Iterable<String> keys(String traceparent) {
                    return List.of(TRACEPARENT);
                }

                @Override
                public @Nullable String get(@Nullable String traceparent, String key) {
                    return TRACEPARENT.equals(key) ? traceparent : null;
                }
            };
}
