package dev.equipoise.agent.status;

import static dev.equipoise.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.RunReport.RoundReached;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StatusServerIT {

    private static final String HOST = "127.0.0.1";
    private static final int SLOW = 20;

    private final AgentStatus status = new AgentStatus();
    private final AgentMeters meters = new AgentMeters(status);
    private final HttpClient http = HttpClient.newHttpClient();
    private final StatusServer server;

    StatusServerIT() throws IOException {
        server = StatusServer.open(HOST, 0, status, meters);
    }

    @AfterEach
    void stop() {
        server.close();
        http.close();
    }

    private HttpResponse<String> request(String method, String path)
            throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://%s:%d%s".formatted(HOST, port(), path)))
                        .timeout(PATIENCE)
                        .method(method, BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
    }

    private int port() {
        return server.address().getPort();
    }

    @Test
    void agentIsLiveAtOnceAndReadyWhileInTheLab() throws Exception {
        var inCluster = new AtomicBoolean(true);

        assertThat(request("GET", "/live").statusCode()).isEqualTo(200);
        assertThat(request("GET", "/ready").statusCode()).isEqualTo(503);
        status.readyWhile(inCluster::get);
        assertThat(request("GET", "/ready").statusCode()).isEqualTo(200);
        inCluster.set(false);
        assertThat(request("GET", "/ready").statusCode()).isEqualTo(503);
        assertThat(request("GET", "/live").statusCode()).isEqualTo(200);
    }

    @Test
    void metricsFollowTheEventsOfTheAgent() throws Exception {
        status.reportsWaiting(() -> 3);
        meters.accept(new RoundReached(0, 1, 1));
        meters.accept(new RoundReached(0, 1, 2));
        meters.accept(
                new EpochFinished(
                        0,
                        1,
                        128,
                        new EpochFinished.Phases(1.5, 0.25, 0.5, 0.125, 0.0625, 0),
                        3,
                        new EpochFinished.Traffic(1000, 200, 30, 4),
                        new EpochFinished.WeightUpdates(1, 0.1, List.of(), 0),
                        0.5,
                        null,
                        null,
                        null,
                        "weights"));

        HttpResponse<String> answer = request("GET", "/metrics");

        assertThat(answer.headers().firstValue("Content-Type").orElse(""))
                .startsWith("text/plain; version=0.0.4");
        assertThat(answer.body().lines())
                .contains(
                        "equipoise_agent_rounds_total 2.0",
                        "equipoise_agent_samples_total 128.0",
                        "equipoise_agent_phase_seconds_total{phase=\"compute\"} 1.5",
                        "equipoise_agent_bytes_total{kind=\"gradient\"} 1000.0",
                        "equipoise_agent_reports_waiting 3.0",
                        "equipoise_agent_ready 0.0")
                .anyMatch(line -> line.startsWith("jvm_memory_used_bytes{"));
    }

    @Test
    void otherPathsAreNotFound() throws Exception {
        for (String path : List.of("/", "/metrics/x", "/live/../etc/passwd", "/actuator")) {
            assertThat(request("GET", path).statusCode()).as(path).isEqualTo(404);
        }
        assertThat(request("POST", "/metrics").statusCode()).isEqualTo(405);
    }

    @Test
    void slowClientsDoNotDelayOthers() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < SLOW; i++) {
                var socket = new Socket(InetAddress.getLoopbackAddress(), port());
                slow.add(socket);
                String begun = i % 2 == 0 ? "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n" : "GET /me";
                socket.getOutputStream().write(begun.getBytes(StandardCharsets.US_ASCII));
            }

            assertThat(request("GET", "/live").statusCode()).isEqualTo(200);
            assertThat(request("GET", "/metrics").statusCode()).isEqualTo(200);
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    /**
     * The limit is about 5 s; a test that waits longer has found a connection that stays open. The
     * limits are those of the first server of a process, which may belong to another test: so this
     * server runs in a process of its own, like an agent.
     */
    @Test
    void unfinishedRequestIsCutOff() throws Exception {
        Process alone =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                Alone.class.getName())
                        .redirectError(Redirect.INHERIT)
                        .start();
        try (BufferedReader told = alone.inputReader();
                var socket =
                        new Socket(
                                InetAddress.getLoopbackAddress(),
                                Integer.parseInt(told.readLine()))) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream().write("GET /me".getBytes(StandardCharsets.US_ASCII));

            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        } finally {
            alone.destroyForcibly();
        }
    }

    /** Prints its port, and runs until its input ends. */
    static final class Alone {

        private Alone() {}

        static void main() throws IOException {
            var status = new AgentStatus();
            try (StatusServer server =
                    StatusServer.open(HOST, 0, status, new AgentMeters(status))) {
                System.out.println(server.address().getPort());
                System.in.transferTo(OutputStream.nullOutputStream());
            }
        }
    }
}
