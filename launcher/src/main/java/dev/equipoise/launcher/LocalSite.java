package dev.equipoise.launcher;

import dev.equipoise.launcher.interrupt.OpenRuns;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** A lab on this machine, with as many workers as the runs need. */
final class LocalSite implements Site {

    /** Each worker is a process with a network and a share of the data; more starve one another. */
    static final int MAX_WORKERS = 8;

    private final LocalLab lab;
    private final Progress progress;

    private LocalSite(LocalLab lab, Progress progress) {
        this.lab = lab;
        this.progress = progress;
    }

    static LocalSite start(LabOptions options, Progress progress) {
        return new LocalSite(LocalLab.start(options, progress), progress);
    }

    @Override
    public ServiceApi api() {
        return lab.api();
    }

    @Override
    public void prepare(List<JsonNode> configurations) {
        int wanted = requiredWorkers(configurations);
        Map<String, String> labels = labels(configurations);
        int cores = Runtime.getRuntime().availableProcessors();
        if (wanted > cores) {
            System.out.printf(
                    "%d workers share %d cores: compare the costs of the runs with one another, and"
                            + " ignore how long they take.%n",
                    wanted, cores);
        }
        lab.startWorkers(
                IntStream.rangeClosed(1, wanted)
                        .mapToObj(number -> new LocalWorker("local-" + number, 1))
                        .toList(),
                labels,
                progress);
    }

    @Override
    public void profile(List<JsonNode> configurations) {
        networks(configurations).forEach(network -> lab.profile(network, progress));
    }

    /**
     * Returns the networks whose training steps determine how long the runs take, each once.
     *
     * @throws UsageError if a network has no preset name, by which a profile is requested
     */
    static Set<String> networks(List<JsonNode> configurations) {
        Set<String> networks = new LinkedHashSet<>();
        for (JsonNode configuration : dependentOnWorkers(configurations)) {
            String network = configuration.at("/network/preset").asString("");
            if (network.isEmpty()) {
                throw new UsageError(
                        "a network that is given as layers cannot be profiled here: describe the"
                                + " workers (plan --workers), or name a service with --service"
                                + " whose workers have profiles of it");
            }
            networks.add(network);
        }
        return networks;
    }

    /** Drops virtual runs that define the speeds of their ranks themselves. */
    static List<JsonNode> dependentOnWorkers(List<JsonNode> configurations) {
        return configurations.stream()
                .filter(it ->
                        !it.at("/execution/kind").asString("real").equals("virtual")
                                || it.at("/execution/speeds").isEmpty())
                .toList();
    }

    /**
     * Returns the number of workers that the largest run needs.
     *
     * @throws UsageError if that exceeds the limit of a lab on this machine
     */
    static int requiredWorkers(List<JsonNode> configurations) {
        int wanted = configurations.stream().mapToInt(LocalSite::workersOf).max().orElse(1);
        if (wanted > MAX_WORKERS) {
            throw new UsageError(
                    ("the runs need %d workers, and a lab on this machine has at most %d: lower"
                                    + " workers.replicas, or name a service with --service")
                            .formatted(wanted, MAX_WORKERS));
        }
        return wanted;
    }

    /**
     * Returns the number of workers of a run. A real run has one for each replica and each server;
     * other runs have all ranks on one worker. If the service chooses the number of replicas, it
     * may choose up to the number of cores.
     */
    private static int workersOf(JsonNode configuration) {
        boolean isLeftOpen =
                configuration
                        .at("/automatic/choices")
                        .valueStream()
                        .anyMatch(it -> it.asString("").equals("workers.replicas"));
        if (isLeftOpen) {
            return Math.clamp(Runtime.getRuntime().availableProcessors(), 2, MAX_WORKERS);
        }
        return configuration.at("/execution/kind").asString("real").equals("real")
                ? configuration.at("/workers/replicas").asInt()
                        + configuration.at("/topology/servers").asInt(0)
                : 1;
    }

    /**
     * Returns the labels that the definitions select workers by; every worker gets all of them.
     *
     * @throws UsageError if no worker can have all of them
     */
    static Map<String, String> labels(List<JsonNode> configurations) {
        Map<String, String> labels = new HashMap<>();
        for (JsonNode configuration : configurations) {
            configuration
                    .at("/workers/selector")
                    .properties()
                    .forEach(label -> add(label.getKey(), label.getValue().asString(), labels));
        }
        return labels;
    }

    private static void add(String key, String value, Map<String, String> labels) {
        String other = labels.put(key, value);
        if (key.equals("lab") || (other != null && !other.equals(value))) {
            throw new UsageError(
                    ("no worker of a lab on this machine has the label %s=%s: remove it from"
                                    + " workers.selector, or name a service with --service")
                            .formatted(key, value));
        }
    }

    @Override
    public void requireAlive() {
        lab.requireAlive();
    }

    @Override
    public boolean outlivesCommand() {
        return false;
    }

    @Override
    public String project() {
        return lab.api().project(ProjectChoice.USUAL);
    }

    @Override
    public void atEnd(OpenRuns open) {
        lab.beforeClosing(open::cancel);
    }

    @Override
    public void close() {
        lab.close();
    }
}
