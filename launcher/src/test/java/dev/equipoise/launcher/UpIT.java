package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A laboratory that stays up, as a process with processes of its own. */
class UpIT {

    private final Process up;
    private final List<ProcessHandle> below;
    private final URI address;
    private final String token;
    private final String label;

    UpIT(@TempDir Path folder) throws IOException {
        up = TestingCommand.start(TestingCommand.launch("up", "--data=" + folder), Map.of());
        BufferedReader output = up.inputReader();
        address = URI.create(TestingCommand.told(output, "The service stays up at (\\S+)"));
        token = TestingCommand.told(output, "Token: (\\S+)");
        label = TestingCommand.told(output, "Workers bear the label lab=([^.]+)\\.");
        below = up.descendants().toList();
    }

    @AfterEach
    void stop() throws InterruptedException {
        up.destroy();
        up.waitFor();
        below.forEach(ProcessHandle::destroyForcibly);
    }

    @Test
    void stoppingItStopsEveryProcessThoughARunIsUnderWay() throws Exception {
        try (ServiceApi api = new ServiceApi(address, token)) {
            assertThat(api.get("workers").path("items")).hasSize(3);
            submit(api);
        }

        up.destroy();

        assertThat(up.waitFor()).as("128 and the number of SIGTERM").isEqualTo(143);
        assertThat(below)
                .as("the service and three agents")
                .hasSize(4)
                .noneMatch(ProcessHandle::isAlive);
    }

    @Test
    void anAgentThatIsToldToStopLeavesTheLabAndEndsWithStatus0() throws Exception {
        try (ServiceApi api = new ServiceApi(address, token)) {
            String joinToken =
                    api.post("join-tokens", Map.of("name", "guest")).path("token").asString();
            Process agent =
                    TestingCommand.start(
                            List.of(
                                    TestingCommand.HOME.resolve("equipoise").toString(),
                                    "agent",
                                    "--service=" + address,
                                    "--name=guest"),
                            Map.of("EQUIPOISE_JOIN_TOKEN", joinToken));
            TestingCommand.told(agent.inputReader(), "(joined as guest)");

            agent.destroy();

            assertThat(agent.waitFor()).isZero();
            assertThat(api.get("workers?limit=500").path("items").valueStream())
                    .filteredOn(worker -> worker.path("name").asString().equals("guest"))
                    .singleElement()
                    .extracting(worker -> worker.path("state").asString())
                    .isEqualTo("LEFT");
        }
    }

    private void submit(ServiceApi api) {
        JsonNode project = api.post("projects", Map.of("name", "first"));
        JsonNode experiment =
                api.post(
                        "projects/%s/experiments".formatted(project.path("id").asString()),
                        Map.of(
                                "apiVersion",
                                "equipoise/v1",
                                "name",
                                "under-way",
                                "dataset",
                                Map.of("name", "mnist"),
                                "network",
                                Map.of("preset", "mnist-cnn"),
                                "training",
                                Map.of(
                                        "epochs",
                                        9,
                                        "batchSize",
                                        64,
                                        "optimizer",
                                        Map.of("kind", "sgd", "learningRate", 0.1)),
                                "workers",
                                Map.of("replicas", 3, "selector", Map.of("lab", label))));
        api.post("experiments/%s/runs".formatted(experiment.path("id").asString()), Map.of());
    }
}
