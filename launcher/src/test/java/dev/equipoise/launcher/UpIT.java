package dev.equipoise.launcher;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code ./equipoise up} as a process with child processes. */
class UpIT {

    @TempDir private Path folder;

    /** A lab takes long to start, so one test has both the second start and the stop. */
    @Test
    void labStartedAgainHasTheSameWorkersAndStoppingEndsEveryProcessDuringARun() throws Exception {
        Map<String, String> before = workersOfALab();
        assertThat(before).containsOnlyKeys("slow-1", "slow-2", "fast");

        try (StandingLab lab = StandingLab.start(folder)) {
            List<ProcessHandle> children = lab.childProcesses();
            assertThat(workers(lab)).isEqualTo(before);
            assertLinkSignsIn(lab);
            try (ServiceApi api = lab.api()) {
                submit(api);
            }

            lab.process().stop();

            assertThat(lab.process().waitFor()).as("128 and the number of SIGTERM").isEqualTo(143);
            assertThat(children)
                    .as("the script that restarts the service, the service and three agents")
                    .hasSize(5)
                    .noneMatch(ProcessHandle::isAlive);
        }
    }

    @Test
    @ExtendWith(SharedLabs.class)
    void stoppedAgentLeavesTheLabAndEndsWithStatus0(StandingLab lab, @TempDir Path state)
            throws Exception {
        String name = SharedLabs.workerName(UpIT.class);
        try (ServiceApi api = lab.api();
                TestingProcess agent =
                        TestingCommand.start(agent(lab, name, state), joinToken(api, name))) {
            agent.awaitLine("(joined as %s)".formatted(name));

            agent.stop();

            assertThat(agent.waitFor()).isZero();
            assertThat(api.get("workers?limit=500").path("items").valueStream())
                    .filteredOn(worker -> worker.path("name").asString().equals(name))
                    .singleElement()
                    .extracting(worker -> worker.path("state").asString())
                    .isEqualTo("LEFT");
        }
    }

    /** Follows the link as the page does, which posts the code. */
    private static void assertLinkSignsIn(StandingLab lab) {
        assertThat(lab.link().toString()).startsWith(lab.address() + "/sign-in#code=eqc_");
        String code = lab.link().getFragment().substring("code=".length());
        try (ServiceApi nobody = new ServiceApi(lab.address(), Map.of(), null)) {
            JsonNode session = nobody.post("session", Map.of("code", code));

            assertThat(session.path("name").asString()).isEqualTo("first administrator");
        }
    }

    /** Starts a lab and stops it. Returns the ids of its workers by their names. */
    private Map<String, String> workersOfALab() throws Exception {
        try (StandingLab lab = StandingLab.start(folder)) {
            Map<String, String> workers = workers(lab);
            lab.process().stop();
            assertThat(lab.process().waitFor()).isEqualTo(143);
            return workers;
        }
    }

    private static Map<String, String> workers(StandingLab lab) {
        try (ServiceApi api = lab.api()) {
            return api.get("workers?limit=500")
                    .path("items")
                    .valueStream()
                    .collect(
                            toMap(
                                    worker -> worker.path("name").asString(),
                                    worker -> worker.path("id").asString()));
        }
    }

    private static List<String> agent(StandingLab lab, String name, Path state) {
        return List.of(
                TestingCommand.HOME.resolve("equipoise").toString(),
                "agent",
                "--service=" + lab.address(),
                "--name=" + name,
                "--state=" + state);
    }

    private static Map<String, String> joinToken(ServiceApi api, String name) {
        JsonNode made = api.post("join-tokens", Map.of("name", name));
        return Map.of("EQUIPOISE_JOIN_TOKEN", made.path("token").asString());
    }

    private static void submit(ServiceApi api) {
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
                                Map.of("replicas", 3)));
        api.post("experiments/%s/runs".formatted(experiment.path("id").asString()), Map.of());
    }
}
