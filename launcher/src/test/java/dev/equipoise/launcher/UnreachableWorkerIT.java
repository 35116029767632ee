package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.testing.Patience;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** A service with real agents, and a worker that advertises an address at which nobody answers. */
@ExtendWith(SharedLabs.class)
class UnreachableWorkerIT {

    private static final String CREDENTIAL = "eqw_" + "C".repeat(42) + "A";
    private static final Duration POLL_PERIOD = Duration.ofMillis(500);

    private final StandingLab lab;
    private final String name = SharedLabs.workerName(UnreachableWorkerIT.class);

    UnreachableWorkerIT(StandingLab lab) {
        this.lab = lab;
    }

    /** Nobody listens at the port, which the socket keeps from other programs. */
    private static Socket boundWithoutListening() throws Exception {
        var socket = new Socket();
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return socket;
    }

    @Test
    void agentsFindTheAddressAndTheRunThatNeedsItSaysSo() throws Exception {
        try (Socket closed = boundWithoutListening();
                ServiceApi api = lab.api();
                ServiceApi guest = new ServiceApi(lab.address(), CREDENTIAL)) {
            String address = "127.0.0.1:" + closed.getLocalPort();
            String id = join(api, host(api), address);
            String run = submit(api);

            assertThat(waitReason(api, guest, id, run))
                    .startsWith("4 workers needed that reach one another, 3 of 4 do: ")
                    .contains(
                            name + " cannot be reached by ",
                            " at %s: connection refused".formatted(address));

            api.post("runs/%s/cancel".formatted(run), Map.of());
            api.post("workers/%s/expel".formatted(id), Map.of());
        }
    }

    /** Returns the host of the lab: a loopback address is refused on any other. */
    private static String host(ServiceApi api) {
        return api.get("workers").at("/items/0/host/name").asString();
    }

    private String join(ServiceApi api, String host, String dataAddress) {
        String token = api.post("join-tokens", Map.of()).path("token").asString();
        try (ServiceApi newcomer = new ServiceApi(lab.address(), token)) {
            return newcomer.post(
                            "agents",
                            Map.of(
                                    "name",
                                    name,
                                    "clusterAddress",
                                    "127.0.0.1:1",
                                    "dataAddress",
                                    dataAddress,
                                    "labels",
                                    Map.of(),
                                    "host",
                                    Map.of(
                                            "name",
                                            host,
                                            "processors",
                                            1,
                                            "threads",
                                            1,
                                            "memoryBytes",
                                            1L << 33,
                                            "system",
                                            "Linux",
                                            "backend",
                                            "oneDNN",
                                            "slowDown",
                                            1),
                                    "credential",
                                    CREDENTIAL))
                    .path("worker")
                    .asString();
        }
    }

    private static String submit(ServiceApi api) {
        String project = api.project("unreachable");
        JsonNode experiment =
                api.post(
                        "projects/%s/experiments".formatted(project),
                        Map.of(
                                "apiVersion",
                                "equipoise/v1",
                                "name",
                                "four",
                                "dataset",
                                Map.of("name", "mnist", "limit", 600),
                                "network",
                                Map.of("preset", "mnist-cnn"),
                                "training",
                                Map.of(
                                        "epochs",
                                        1,
                                        "batchSize",
                                        64,
                                        "optimizer",
                                        Map.of("kind", "sgd", "learningRate", 0.1)),
                                "workers",
                                Map.of("replicas", 4)));
        return api.post("experiments/%s/runs".formatted(experiment.path("id").asString()), Map.of())
                .at("/items/0/id")
                .asString();
    }

    /** Keeps the guest alive until the run waits for workers that reach one another. */
    private static String waitReason(ServiceApi api, ServiceApi guest, String id, String run) {
        long end = System.nanoTime() + Patience.PATIENCE.toNanos();
        JsonNode waiting;
        do {
            guest.post(
                    "agents/%s/heartbeat".formatted(id),
                    Map.of(
                            "clusterAddress",
                            "127.0.0.1:1",
                            "sees",
                            List.of(id),
                            "draining",
                            false));
            Pause.of(POLL_PERIOD);
            waiting = api.get("runs/" + run).path("waiting");
        } while (!waiting.path("code").asString("").equals("unreachable-workers")
                && System.nanoTime() < end);
        return waiting.path("message").asString("");
    }
}
