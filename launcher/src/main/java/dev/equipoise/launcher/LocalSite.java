package dev.equipoise.launcher;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** A laboratory on this machine, with as many workers as the runs ask for. */
final class LocalSite implements Site {

    /** Each is a process with a network and a share of the data; more starve one another. */
    static final int MOST_WORKERS = 8;

    private final Lab lab;
    private final Progress progress;

    private LocalSite(Lab lab, Progress progress) {
        this.lab = lab;
        this.progress = progress;
    }

    static LocalSite start(LabOptions options, Progress progress) {
        return new LocalSite(Lab.start(options, progress), progress);
    }

    @Override
    public ServiceApi api() {
        return lab.api();
    }

    @Override
    public void prepare(List<JsonNode> configurations) {
        int wanted = wanted(configurations);
        Map<String, String> labels = labels(configurations);
        int cores = Runtime.getRuntime().availableProcessors();
        if (wanted > cores) {
            System.out.printf(
                    "%d workers share %d cores: what the runs cost beside one another tells, how"
                            + " long they take does not.%n",
                    wanted, cores);
        }
        lab.admit(
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
     * The networks of runs that take as long as their workers do, each once.
     *
     * @throws WrongInput where one has no name by which a profile could be asked for
     */
    static Set<String> networks(List<JsonNode> configurations) {
        Set<String> networks = new LinkedHashSet<>();
        for (JsonNode configuration : dependentOnWorkers(configurations)) {
            String network = configuration.at("/network/preset").asString("");
            if (network.isEmpty()) {
                throw new WrongInput(
                        "networks of layers of one's own cannot be profiled here: imagine workers"
                                + " (plan --workers), or name a service with --service whose"
                                + " workers know them");
            }
            networks.add(network);
        }
        return networks;
    }

    /** Runs whose clock is not real may say by themselves how fast they are. */
    static List<JsonNode> dependentOnWorkers(List<JsonNode> configurations) {
        return configurations.stream()
                .filter(it ->
                        !it.at("/execution/kind").asString("real").equals("virtual")
                                || it.at("/execution/speeds").isEmpty())
                .toList();
    }

    /**
     * As many as the largest run.
     *
     * @throws WrongInput where this machine does not bear so many
     */
    static int wanted(List<JsonNode> configurations) {
        int wanted = configurations.stream().mapToInt(LocalSite::workersOf).max().orElse(1);
        if (wanted > MOST_WORKERS) {
            throw new WrongInput(
                    ("%d workers are wanted, and a laboratory on this machine has at most %d: set"
                                    + " workers.replicas, or name a service with --service")
                            .formatted(wanted, MOST_WORKERS));
        }
        return wanted;
    }

    /**
     * A real run has one a replica, and one a server; others have all ranks on one worker. Where
     * the service chooses how many there are, it chooses among as many as there are cores.
     */
    private static int workersOf(JsonNode configuration) {
        boolean isLeftOpen =
                configuration
                        .at("/automatic/choices")
                        .valueStream()
                        .anyMatch(it -> it.asString("").equals("workers.replicas"));
        if (isLeftOpen) {
            return Math.clamp(Runtime.getRuntime().availableProcessors(), 2, MOST_WORKERS);
        }
        return configuration.at("/execution/kind").asString("real").equals("real")
                ? configuration.at("/workers/replicas").asInt()
                        + configuration.at("/topology/servers").asInt(0)
                : 1;
    }

    /**
     * What the definitions select workers by; here every worker bears all of it.
     *
     * @throws WrongInput where no worker can
     */
    static Map<String, String> labels(List<JsonNode> configurations) {
        Map<String, String> labels = new HashMap<>();
        for (JsonNode configuration : configurations) {
            configuration
                    .at("/workers/selector")
                    .properties()
                    .forEach(label -> {
                        String value = label.getValue().asString();
                        String other = labels.put(label.getKey(), value);
                        if (label.getKey().equals("lab")
                                || (other != null && !other.equals(value))) {
                            throw new WrongInput(
                                    ("no worker of a laboratory on this machine bears the label"
                                                    + " %s=%s: leave it out of workers.selector, or"
                                                    + " name a service with --service")
                                            .formatted(label.getKey(), value));
                        }
                    });
        }
        return labels;
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
    public void beforeClosing(Runnable action) {
        lab.beforeClosing(action);
    }

    @Override
    public void close() {
        lab.close();
    }
}
