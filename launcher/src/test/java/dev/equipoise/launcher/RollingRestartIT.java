package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.testing.Patience;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Replaces two instances of the service, on one database, one after the other. The tests share the
 * lab, and run in any order.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RollingRestartIT {

    /**
     * More epochs than any machine trains while instances are replaced. The test then cancels the
     * run.
     */
    private static final int ENDLESS = 20_000;

    private static final String DEFINITION =
            """
            apiVersion: equipoise/v1
            name: rolling
            dataset: { name: mnist, limit: 1500 }
            network: { preset: mnist-cnn }
            training: { epochs: %d, batchSize: 32 }
            workers: { replicas: 2 }
            """
                    .formatted(ENDLESS);

    /** Time until all callers know that an instance is leaving. */
    private static final Duration NOTICE = Duration.ofSeconds(1);

    /** Time without services, shorter than the silence after which workers are lost. */
    private static final Duration OUTAGE = Duration.ofSeconds(2);

    private static final Duration RETRY_PAUSE = Duration.ofSeconds(1);

    private static final int MIN_REQUESTS = 100;

    private final List<OwnService> instances = new ArrayList<>();
    private final List<Process> agents = new ArrayList<>();
    private final List<String> runs = new ArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private Path folder;
    private EmbeddedPostgres database;
    private Balancer balancer;
    private ServiceApi api;

    @BeforeAll
    void start(@TempDir Path shared) throws IOException {
        folder = shared;
        database = EmbeddedPostgres.builder().setPGStartupWait(Patience.PATIENCE).start();
        balancer = new Balancer();
        api = new ServiceApi(balancer.address(), OwnService.ADMINISTRATOR);
        for (int i = 0; i < 2; i++) {
            balancer.add(startInstance().port());
        }
        for (String name : List.of("a", "b")) {
            agents.add(
                    TestingCommand.startIn(
                            folder,
                            name,
                            List.of(),
                            Map.of("EQUIPOISE_JOIN_TOKEN", OwnService.JOINING),
                            "agent",
                            "--service=" + balancer.address(),
                            "--name=" + name));
        }
        ChaosLab.await(() ->
                api.get("workers?limit=10")
                                        .path("items")
                                        .valueStream()
                                        .filter(it -> it.path("sees").size() == 2)
                                        .count()
                                == 2
                        ? ""
                        : "the agents have not joined");
    }

    /** Cancels the runs, so that the agents are idle again even if the test has failed. */
    @AfterEach
    void cancelAll() {
        runs.stream()
                .filter(it -> !ChaosLab.isOver(state(it)))
                .forEach(it -> api.post("runs/%s/cancel".formatted(it), Map.of()));
        runs.clear();
    }

    @AfterAll
    void stop() throws IOException {
        threads.shutdownNow();
        agents.forEach(it -> it.destroyForcibly().onExit().join());
        instances.forEach(it -> it.process().destroyForcibly().onExit().join());
        api.close();
        balancer.close();
        database.close();
    }

    private OwnService startInstance() throws IOException {
        OwnService instance =
                OwnService.start(
                        folder,
                        Map.of(
                                "SPRING_DATASOURCE_URL",
                                "jdbc:postgresql://127.0.0.1:%d/postgres"
                                        .formatted(database.getPort()),
                                "SPRING_DATASOURCE_USERNAME",
                                "postgres"));
        instances.add(instance);
        return instance;
    }

    @Test
    void runsContinueAndNoRequestFailsAfterARetry() throws IOException {
        List<OwnService> old = List.copyOf(instances);
        List<OwnService> next = List.of(startInstance(), startInstance());
        String run = submit();
        awaitEpoch(run, 2);

        var callers = new Callers(run);
        var writer = new Writer();
        CompletableFuture<Received> listener =
                CompletableFuture.supplyAsync(() -> listen(run), threads);
        for (int i = 0; i < next.size(); i++) {
            replace(old.get(i), next.get(i));
        }
        writer.stop();
        awaitAnotherEpoch(run);
        ChaosLab.await(() ->
                callers.answered.get() > MIN_REQUESTS
                        ? ""
                        : "answered requests: " + callers.answered);
        callers.stop();
        assertThat(state(run).path("state").asString()).isEqualTo("RUNNING");
        api.post("runs/%s/cancel".formatted(run), Map.of());
        ChaosLab.await(() -> ChaosLab.isOver(state(run)) ? "" : "it has not ended");

        JsonNode ended = state(run);
        assertThat(ended.path("state").asString()).as("%s", ended).isEqualTo("CANCELLED");
        assertThat(ended.path("generation").asInt()).isEqualTo(1);
        assertThat(ended.path("setbacks").asInt()).isZero();
        List<Integer> epochs = epochs(run);
        assertThat(epochs).isEqualTo(IntStream.rangeClosed(1, epochs.size()).boxed().toList());
        System.out.printf(
                "%d requests while two instances were replaced, %d of them repeated%n",
                callers.answered.get(), callers.retries.get());
        assertThat(callers.failures).isEmpty();
        System.out.printf(
                "%d projects created meanwhile, %d repeated requests; stream reopened %d times%n",
                writer.made.size(), writer.retries, listener.join().begun());
        assertThat(projects()).containsExactlyInAnyOrderElementsOf(writer.made);
        assertThat(listener.join().events()).isEqualTo(events(run));
    }

    @Test
    void agentsOutliveAProxyThatKnowsNoService() throws IOException {
        String run = submit();
        awaitEpoch(run, 1);

        int refused = balancer.refused();
        balancer.loseServices();
        Pause.of(OUTAGE);
        balancer.findServices();
        awaitAnotherEpoch(run);

        assertThat(balancer.refused()).isGreaterThan(refused);
        assertThat(agents).allMatch(Process::isAlive);
        JsonNode state = state(run);
        assertThat(state.path("state").asString()).as("%s", state).isEqualTo("RUNNING");
        assertThat(state.path("generation").asInt()).isEqualTo(1);
        api.post("runs/%s/cancel".formatted(run), Map.of());
        ChaosLab.await(() -> ChaosLab.isOver(state(run)) ? "" : "it has not ended");
    }

    /**
     * Replaces an instance as a deployment does: the new one is ready before the old one leaves.
     */
    private void replace(OwnService old, OwnService next) {
        balancer.add(next.port());
        balancer.remove(old.port());
        Pause.of(NOTICE);
        old.process().destroy();
        old.process().onExit().join();
    }

    private String submit() {
        String run = ChaosLab.submit(api, api.project("rolling"), DEFINITION);
        runs.add(run);
        return run;
    }

    private JsonNode state(String run) {
        return api.get("runs/" + run);
    }

    private int epoch(String run) {
        return state(run).at("/progress/epoch").asInt();
    }

    private void awaitEpoch(String run, int epoch) {
        ChaosLab.await(
                Patience.FOR_A_RUN,
                () -> epoch(run) >= epoch ? "" : "it is at epoch " + epoch(run));
    }

    /** Waits until all ranks have reported an epoch that not all had finished before. */
    private void awaitAnotherEpoch(String run) {
        int begun = epoch(run);
        ChaosLab.await(
                Patience.FOR_A_RUN,
                () -> epochs(run).size() > begun ? "" : "reported epochs: " + epochs(run));
    }

    /** Returns the epochs that all ranks have reported. */
    private List<Integer> epochs(String run) {
        return state(run).path("epochs").valueStream().map(it -> it.path("epoch").asInt()).toList();
    }

    /** The events that a listener received, and how often it had to reopen the stream. */
    private record Received(List<Long> events, int begun) {}

    private Received listen(String run) {
        try (var caller = new PatientCaller(balancer.address(), OwnService.ADMINISTRATOR)) {
            return new Received(caller.readEvents(run), caller.retries());
        }
    }

    private List<Long> events(String run) {
        List<Long> ids = new ArrayList<>();
        for (boolean isOver = false; !isOver; ) {
            long after = ids.isEmpty() ? 0 : ids.getLast();
            JsonNode page = api.get("runs/%s/events?after=%d&limit=100".formatted(run, after));
            page.path("items").forEach(it -> ids.add(it.path("id").asLong()));
            isOver = page.path("over").asBoolean();
        }
        return ids;
    }

    private List<String> projects() {
        return api.get("projects?limit=500")
                .path("items")
                .valueStream()
                .map(it -> it.path("name").asString())
                .filter(it -> it.startsWith(Writer.NAMES))
                .toList();
    }

    /** Creates one project after another. */
    private final class Writer {

        private static final String NAMES = "written ";

        /** Limit of projects, so that one page lists all of them. */
        private static final int MAX_PROJECTS = 400;

        private final List<String> made = new CopyOnWriteArrayList<>();
        private final AtomicBoolean isOver = new AtomicBoolean();
        private final CompletableFuture<Void> work =
                CompletableFuture.runAsync(this::write, threads);
        private volatile int retries;

        private void write() {
            try (var caller = new PatientCaller(balancer.address(), OwnService.ADMINISTRATOR)) {
                while (!isOver.get() && made.size() < MAX_PROJECTS) {
                    String name = NAMES + made.size();
                    caller.createProject(name);
                    made.add(name);
                    retries = caller.retries();
                    Pause.of(Duration.ofMillis(200));
                }
            }
        }

        void stop() {
            isOver.set(true);
            work.join();
        }
    }

    /** Concurrent callers; each repeats a request once if it gets no answer. */
    private final class Callers {

        private static final int COUNT = 4;

        private final List<String> failures = new CopyOnWriteArrayList<>();
        private final AtomicInteger answered = new AtomicInteger();
        private final AtomicInteger retries = new AtomicInteger();
        private final AtomicBoolean isOver = new AtomicBoolean();
        private final List<CompletableFuture<Void>> all;

        Callers(String run) {
            List<String> paths = List.of("runs/" + run, "workers", "me", "runs?limit=5");
            all =
                    IntStream.range(0, COUNT)
                            .mapToObj(it ->
                                    CompletableFuture.runAsync(() -> ask(paths.get(it)), threads))
                            .toList();
        }

        private void ask(String path) {
            while (!isOver.get()) {
                askOnceOrTwice(path);
                answered.incrementAndGet();
                Pause.of(Duration.ofMillis(50));
            }
        }

        private void askOnceOrTwice(String path) {
            try {
                api.get(path);
            } catch (ServiceUnreachable first) {
                retries.incrementAndGet();
                Pause.of(RETRY_PAUSE);
                askAgain(path);
            }
        }

        private void askAgain(String path) {
            try {
                api.get(path);
            } catch (ServiceUnreachable second) {
                failures.add("%s: %s".formatted(path, second.getMessage()));
            }
        }

        void stop() {
            isOver.set(true);
            all.forEach(CompletableFuture::join);
        }
    }
}
