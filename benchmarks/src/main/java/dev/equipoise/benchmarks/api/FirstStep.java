package dev.equipoise.benchmarks.api;

import dev.equipoise.benchmarks.BenchFailed;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * How long it takes from the request that queues a run to the end of its first training step on two
 * agents that are idle and have run another before: until a reader of its events hears that it is
 * RUNNING, and the time on the agents' clock from their beginning to the end of the first round.
 */
final class FirstStep {

    private static final String LABEL = "real";
    private static final int AGENTS = 2;
    private static final int PATIENCE_SECONDS = 60;
    private static final double NANOS = 1e9;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final ServiceProcess service;
    private final Times seconds = new Times();

    private FirstStep(ServiceProcess service) {
        this.service = service;
    }

    /** Seconds, of so many runs after one that warms the agents up. */
    static Times measure(ServiceProcess service, String project, int runs)
            throws InterruptedException {
        var step = new FirstStep(service);
        Process one = service.startAgent("one", "bench=" + LABEL);
        Process other = service.startAgent("other", "bench=" + LABEL);
        try {
            step.awaitAgents();
            String experiment = service.api().define(project, Definitions.small(LABEL));
            step.run(experiment);
            for (int run = 0; run < runs; run++) {
                step.seconds.add(step.run(experiment));
            }
            return step.seconds;
        } finally {
            stop(one);
            stop(other);
        }
    }

    private void awaitAgents() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (meeting() < AGENTS) {
            if (System.nanoTime() > end) {
                throw new BenchFailed("two agents have not met in " + PATIENCE_SECONDS + " s");
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    /** How many see one another. */
    private long meeting() throws InterruptedException {
        return service.api()
                .get("workers?state=IDLE")
                .path("items")
                .valueStream()
                .filter(worker -> worker.at("/labels/bench").asString("").equals(LABEL))
                .filter(worker -> worker.path("sees").size() == AGENTS)
                .count();
    }

    private double run(String experiment) throws InterruptedException {
        long begun = System.nanoTime();
        String run = service.api().submit(experiment).getFirst();
        double running = 0;
        double first = -1;
        try (var lines =
                new BufferedReader(
                        new InputStreamReader(service.api().events(run), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode event = event(line);
                if (event.path("state").asString("").equals("RUNNING")) {
                    running = (System.nanoTime() - begun) / NANOS;
                } else if (first < 0 && event.path("type").asString("").equals("metrics")) {
                    first = event.path("seconds").path(0).asDouble();
                }
            }
        } catch (IOException e) {
            throw new BenchFailed("the events of run %s ended: %s".formatted(run, e), e);
        }
        requireCompleted(run);
        return running + first;
    }

    private static JsonNode event(String line) {
        return line.startsWith("data:")
                ? JSON.readTree(line.substring("data:".length())).path("event")
                : JSON.missingNode();
    }

    private void requireCompleted(String run) throws InterruptedException {
        JsonNode ended = service.api().get("runs/" + run);
        if (!ended.path("state").asString().equals("COMPLETED")) {
            throw new BenchFailed("run %s failed: %s".formatted(run, ended.path("failure")));
        }
    }

    private static void stop(Process agent) throws InterruptedException {
        agent.destroy();
        if (!agent.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            agent.destroyForcibly();
        }
    }
}
