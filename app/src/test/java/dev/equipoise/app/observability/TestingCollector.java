package dev.equipoise.app.observability;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Trace collector that receives OTLP over HTTP and keeps the spans. */
final class TestingCollector implements AutoCloseable {

    private final HttpServer server;
    private final List<Span> spans = new CopyOnWriteArrayList<>();

    private TestingCollector(HttpServer server) {
        this.server = server;
    }

    static TestingCollector start() {
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

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    List<Span> spans() {
        return List.copyOf(spans);
    }

    List<Span> named(String name) {
        return spans.stream().filter(it -> it.getName().equals(name)).toList();
    }

    static String hex(ByteString bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            ExportTraceServiceRequest.parseFrom(exchange.getRequestBody())
                    .getResourceSpansList()
                    .forEach(resource ->
                            resource.getScopeSpansList()
                                    .forEach(scope -> spans.addAll(scope.getSpansList())));
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
