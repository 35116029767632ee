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
 * Measures the time from the submission of a run to the end of its first training step on two idle,
 * warm agents. The time is the sum of two parts: until an event reader receives RUNNING, and the
 * agents' clock from their start to the end of the first round.
 */
final class FirstStep {

    private static final String LABEL = "real";
    private static final int AGENTS = 2;
    private static final int TIMEOUT_SECONDS = 60;
    private static final double NANOS = 1e9;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final ServiceProcess service;
    private final Latencies seconds = new Latencies();

    private FirstStep(ServiceProcess service) {
        this.service = service;
    }

    /** Measures runs after one warm-up run; the result is in seconds. */
    static Latencies measure(ServiceProcess service, String project, int runs)
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
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (connectedAgents() < AGENTS) {
            if (System.nanoTime() > end) {
                throw new BenchFailed(
                        "the two agents did not connect within %d s".formatted(TIMEOUT_SECONDS));
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    /** Returns the number of idle agents that see all others. */
    private long connectedAgents() throws InterruptedException {
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
        var parts = new Parts(begun);
        try (var lines =
                new BufferedReader(
                        new InputStreamReader(service.api().events(run), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                parts.add(event(line));
            }
        } catch (IOException e) {
            throw new BenchFailed("the event stream of run %s broke: %s".formatted(run, e), e);
        }
        requireCompleted(run);
        return parts.running + parts.first;
    }

    /** The two parts of the time of one run, in seconds. */
    private static final class Parts {

        private final long begun;
        private double running;
        private double first = -1;

        /**
         * @param begun time of the submission, a value of {@link System#nanoTime}
         */
        private Parts(long begun) {
            this.begun = begun;
        }

        private void add(JsonNode event) {
            if (event.path("state").asString("").equals("RUNNING")) {
                running = (System.nanoTime() - begun) / NANOS;
            } else if (first < 0 && event.path("type").asString("").equals("metrics")) {
                first = event.path("seconds").path(0).asDouble();
            }
        }
    }

    private static JsonNode event(String line) {
        return line.startsWith("data:")
                ? JSON.readTree(line.substring("data:".length())).path("event")
                : JSON.missingNode();
    }

    private void requireCompleted(String run) throws InterruptedException {
        JsonNode ended = service.api().get("runs/" + run);
        if (!ended.path("state").asString().equals("COMPLETED")) {
            throw new BenchFailed(
                    "run %s did not complete: %s".formatted(run, ended.path("failure")));
        }
    }

    private static void stop(Process agent) throws InterruptedException {
        agent.destroy();
        if (!agent.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            agent.destroyForcibly();
        }
    }
}
