package dev.equipoise.testing.telemetry;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** Trace collector that receives OTLP over HTTP and keeps the spans. */
public final class TestingCollector implements AutoCloseable {

    private static final String SERVICE = "service.name";

    private final HttpServer server;
    private final List<ResourceSpans> received = new CopyOnWriteArrayList<>();

    private TestingCollector(HttpServer server) {
        this.server = server;
    }

    /** Starts a collector at a free port of the loopback. */
    public static TestingCollector start() {
        try {
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            var collector = new TestingCollector(HttpServer.create(address, 0));
            collector.server.createContext("/v1/traces", collector::take);
            collector.server.start();
            return collector;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the address without the path {@code /v1/traces}. */
    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    public List<Span> spans() {
        return spansIn(received.stream());
    }

    /** Returns the spans that a program sent, by the {@code service.name} of its resource. */
    public List<Span> spansOf(String program) {
        return spansIn(received.stream().filter(it -> name(it.getResource()).equals(program)));
    }

    public List<Span> named(String name) {
        return spans().stream().filter(it -> it.getName().equals(name)).toList();
    }

    /** Returns an id as OpenTelemetry writes it. */
    public static String hex(ByteString id) {
        return HexFormat.of().formatHex(id.toByteArray());
    }

    private static List<Span> spansIn(Stream<ResourceSpans> some) {
        return some.flatMap(it -> it.getScopeSpansList().stream())
                .flatMap(it -> it.getSpansList().stream())
                .toList();
    }

    private static String name(Resource program) {
        return program.getAttributesList().stream()
                .filter(it -> it.getKey().equals(SERVICE))
                .map(it -> it.getValue().getStringValue())
                .findFirst()
                .orElse("");
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            received.addAll(
                    ExportTraceServiceRequest.parseFrom(exchange.getRequestBody())
                            .getResourceSpansList());
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
