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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Kills an agent and starts it again by the same line, as a service manager does. At night it does
 * so 200 times: {@code ./equipoise night restarts}. The tests share a service; each has an agent of
 * its own name.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentRestartIT {

    private static final int RESTARTS = Integer.getInteger("equipoise.agent.restarts", 3);
    private static final Pattern JOINED = Pattern.compile(" joined as \\S+ \\(([0-9a-f-]{36})\\)");

    private static final Pattern REGISTERED =
            Pattern.compile(" (?:returned as the worker of|joined as \\S+) ");

    private final List<Process> agents = new ArrayList<>();
    private Path folder;
    private OwnService service;
    private ServiceApi api;

    /** Name of the agent of the test, and of its worker, state folder and log. */
    private String name = "";

    @BeforeAll
    void start(@TempDir Path shared) throws IOException {
        folder = shared;
        service = OwnService.start(folder, Map.of(), "--equipoise.data=" + folder.resolve("data"));
        api = service.api();
    }

    @AfterEach
    void killAgents() {
        agents.forEach(AgentRestartIT::kill);
        agents.clear();
    }

    @AfterAll
    void stop() {
        if (api != null) {
            api.close();
        }
        if (service != null) {
            service.close();
        }
    }

    @Test
    void killedAgentStaysOneWorkerAndLosesNoProfile() throws Exception {
        name = "kept";
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

        assertThat(workers()).containsExactly(worker);
        JsonNode profiles = api.get("workers/%s/profiles".formatted(worker)).path("items");
        assertThat(profiles).extracting(it -> it.path("id").asString()).containsExactly(profile);
        assertThat(profiles.path(0).path("stale")).as("%s", profiles).isEmpty();
        assertThat(startAgent(token).waitFor())
                .as("status of a second agent of the same state folder")
                .isEqualTo(1);
        assertThat(log()).contains("another agent (process %d) uses".formatted(agent.pid()));
    }

    /**
     * Kills each process once it has the state folder: every other one at once, so that it has
     * begun to join or not, and the others after the service has admitted them.
     */
    @Test
    void agentThatIsKilledWhileItJoinsIsOneWorker() throws Exception {
        name = "joining";
        String token = api.post("join-tokens", Map.of("name", "once")).path("token").asString();
        long registered = 0;
        for (int restart = 1; restart <= RESTARTS; restart++) {
            Process agent = startAgent(token);
            awaitState(agent);
            if (restart % 2 == 0) {
                awaitRegistered(registered + 1);
            }
            kill(agent);
            registered = registered();
        }
        int before = joined().size();
        startAgent(token);

        List<String> workers = awaitJoined(before + 1);
        assertThat(workers).containsOnly(workers.getFirst());
        assertThat(workers()).containsExactly(workers.getFirst());
    }

    /** Returns the workers that have the name of the agent. */
    private List<String> workers() {
        return api.get("workers?limit=10")
                .path("items")
                .valueStream()
                .filter(it -> it.path("name").asString().equals(name))
                .map(it -> it.path("id").asString())
                .toList();
    }

    /** Waits until this process has the state folder, which has the credential of a worker. */
    private void awaitState(Process agent) {
        String number = Long.toString(agent.pid());
        ChaosLab.await(() -> {
            String holder = lockHolder();
            return holder.equals(number) && hasCredential()
                    ? ""
                    : "process %s has the state folder, not %s".formatted(holder, number);
        });
    }

    private boolean hasCredential() {
        return Files.exists(state().resolve("joining.json"))
                || Files.exists(state().resolve("worker.json"));
    }

    private String lockHolder() {
        Path lock = state().resolve("lock");
        return Files.exists(lock) ? content(lock).strip() : "";
    }

    /** Waits until the service has admitted agents at least so many times. */
    private void awaitRegistered(long times) {
        ChaosLab.await(() ->
                registered() >= times
                        ? ""
                        : "registered %d of %d times: %s".formatted(registered(), times, log()));
    }

    /** The lines of the log that an agent writes after it is admitted. */
    private long registered() {
        return REGISTERED.matcher(log()).results().count();
    }

    private Process startAgent(String token) throws IOException {
        Process agent =
                TestingCommand.startIn(
                        folder,
                        name,
                        List.of(),
                        Map.of("EQUIPOISE_JOIN_TOKEN", token),
                        "agent",
                        "--service=" + service.address(),
                        "--name=" + name,
                        "--state=" + state());
        agents.add(agent);
        return agent;
    }

    private static void kill(Process agent) {
        agent.destroyForcibly().onExit().join();
    }

    private Path state() {
        return folder.resolve(name);
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
        return content(folder.resolve("logs").resolve(name + ".log"));
    }

    private static String content(Path file) {
        try {
            return Files.readString(file);
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
