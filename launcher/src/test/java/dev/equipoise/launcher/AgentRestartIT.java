package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Kills an agent and starts it again by the same line, as a service manager does. At night it does
 * so 200 times: {@code ./equipoise night restarts}.
 */
class AgentRestartIT {

    private static final int RESTARTS = Integer.getInteger("equipoise.agent.restarts", 5);
    private static final String LOG = "agent";
    private static final Pattern JOINED = Pattern.compile(" joined as kept \\(([0-9a-f-]{36})\\)");

    @TempDir private Path folder;

    private OwnService service;
    private ServiceApi api;
    private final List<Process> agents = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        service = OwnService.start(folder, Map.of(), "--equipoise.data=" + folder.resolve("data"));
        api = service.api();
    }

    @AfterEach
    void stop() {
        agents.forEach(AgentRestartIT::kill);
        api.close();
        service.close();
    }

    @Test
    void killedAgentStaysOneWorkerAndLosesNoProfile() throws Exception {
        String token = api.post("join-tokens", Map.of("name", "once")).path("token").asString();
        Process agent = startAgent(token);
        String worker = awaitJoined(1).getFirst();
        String profile = importProfile(worker);

        for (int restart = 1; restart <= RESTARTS; restart++) {
            kill(agent);
            agent = startAgent(token);
            assertThat(awaitJoined(restart + 1)).containsOnly(worker);
            awaitIdle(worker);
        }

        assertThat(api.get("workers?limit=10").path("items"))
                .extracting(it -> it.path("id").asString())
                .containsExactly(worker);
        JsonNode profiles = api.get("workers/%s/profiles".formatted(worker)).path("items");
        assertThat(profiles).extracting(it -> it.path("id").asString()).containsExactly(profile);
        assertThat(profiles.path(0).path("stale")).as("%s", profiles).isEmpty();
        assertThat(startAgent(token).waitFor())
                .as("status of a second agent of the same state folder")
                .isEqualTo(1);
        assertThat(log()).contains("another agent (process %d) uses".formatted(agent.pid()));
    }

    /** Covers kills before and after the service has admitted the worker. */
    @Test
    void agentThatIsKilledWhileItJoinsIsOneWorker() throws Exception {
        String token = api.post("join-tokens", Map.of("name", "once")).path("token").asString();
        for (int restart = 1; restart <= RESTARTS; restart++) {
            Process agent = startAgent(token);
            ChaosLab.await(() ->
                    Files.exists(state().resolve("joining.json"))
                                    || Files.exists(state().resolve("worker.json"))
                            ? ""
                            : "the agent has not begun to join");
            kill(agent);
        }
        startAgent(token);

        String worker = awaitJoined(1).getLast();
        assertThat(api.get("workers?limit=10").path("items"))
                .extracting(it -> it.path("id").asString())
                .containsExactly(worker);
    }

    private Process startAgent(String token) throws IOException {
        Process agent =
                TestingCommand.startIn(
                        folder,
                        LOG,
                        List.of(),
                        Map.of("EQUIPOISE_JOIN_TOKEN", token),
                        "agent",
                        "--service=" + service.address(),
                        "--name=kept",
                        "--state=" + state());
        agents.add(agent);
        return agent;
    }

    private static void kill(Process agent) {
        agent.destroyForcibly().onExit().join();
    }

    private Path state() {
        return folder.resolve("kept");
    }

    /** Waits until agents have joined so many times, and returns their workers. */
    private List<String> awaitJoined(int times) {
        ChaosLab.await(() ->
                joined().size() >= times
                        ? ""
                        : "joined %d of %d times: %s".formatted(joined().size(), times, log()));
        return joined();
    }

    private List<String> joined() {
        Matcher matcher = JOINED.matcher(log());
        return matcher.results().map(it -> it.group(1)).toList();
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("logs").resolve(LOG + ".log"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void awaitIdle(String worker) {
        ChaosLab.await(
                Patience.PATIENCE,
                () -> {
                    JsonNode present = api.get("workers/" + worker);
                    return present.path("state").asString().equals("IDLE") ? "" : "" + present;
                });
    }

    private String importProfile(String worker) {
        String file =
                """
                # kernel: training-step:mnist-cnn
                # date: %s
                size,mean_s,reps,ci_s,sd_s
                8,4.0,5,0.25,0.125
                16,7.0,5,0.25,0.125
                """
                        .formatted(Instant.now().minus(Duration.ofMinutes(1)));
        return api.post(
                        "workers/%s/profiles".formatted(worker),
                        new ServiceApi.Document("text/csv", file))
                .path("id")
                .asString();
    }
}
