package dev.equipoise.launcher;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A service with an embedded database and some agents, each a process of its own on this machine.
 * Its workers bear the label {@code lab} with a value of their own, by which experiments find them.
 */
final class Lab implements AutoCloseable {

    /** Of the service, while the speeds of workers are measured. */
    private static final int NICENESS_BESIDE_MEASUREMENTS = 10;

    private final String id = UUID.randomUUID().toString().substring(0, 8);
    private final Path home;
    private final Path data;
    private final Duration startTimeout;
    private final FileChannel lock;
    private final List<LabProcess> agents = new CopyOnWriteArrayList<>();
    private volatile boolean closing;
    private final URI address;
    private final LabProcess service;
    private @Nullable ServiceApi api;
    private final String token;
    private Runnable farewell = () -> {};

    private Lab(Path home, LabOptions options, FileChannel lock, URI address, Progress progress) {
        this.home = home;
        this.data = options.data();
        this.startTimeout = options.startTimeout();
        this.lock = lock;
        this.address = address;
        Path tokenFile = data.resolve("administrator.token");
        this.service =
                LabProcess.start(
                        home,
                        "the service",
                        data.resolve("logs/service.log"),
                        null,
                        List.of(
                                "service",
                                "--server.port=" + address.getPort(),
                                "--equipoise.data=" + data,
                                "--equipoise.account.administrator-token-file=" + tokenFile),
                        Map.of());
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(this::close));
        progress.untilNothingIsMissing(
                "starting the service", startTimeout, this::whatTheServiceLacks);
        this.token = read(tokenFile);
        this.api = new ServiceApi(address, token);
    }

    /**
     * Starts the service and the workers, and waits until the workers see one another.
     *
     * @throws LabFailure where the port is busy, the data folder is in use, or a process ends
     */
    static Lab start(LabOptions options, List<LocalWorker> workers, Progress progress) {
        Lab lab = start(options, progress);
        lab.admit(workers, Map.of(), progress);
        return lab;
    }

    /**
     * Starts the service alone.
     *
     * @throws LabFailure where the port is busy, the data folder is in use, or the process ends
     */
    static Lab start(LabOptions options, Progress progress) {
        Path home = Path.of(System.getProperty("equipoise.home", "."));
        FileChannel lock = lock(options.data());
        URI address = URI.create("http://127.0.0.1:" + freePort(options.port()));
        return new Lab(home, options, lock, address, progress);
    }

    /**
     * Starts the workers of the laboratory, and waits until they see one another.
     *
     * @param labels that they bear beside {@code lab}
     */
    void admit(List<LocalWorker> workers, Map<String, String> labels, Progress progress) {
        Map<LocalWorker, Integer> cores = Cores.spread(workers, Cores.allowed());
        workers.forEach(worker -> startAgent(worker, labels, cores.get(worker)));
        progress.untilNothingIsMissing(
                "joining %d workers".formatted(workers.size()),
                startTimeout,
                () -> whatTheWorkersLack(workers.size()));
    }

    private synchronized void startAgent(
            LocalWorker worker, Map<String, String> labels, @Nullable Integer core) {
        requireAlive();
        String joinToken =
                api().post("join-tokens", Map.of("name", worker.name())).path("token").asString();
        agents.add(
                LabProcess.start(
                        home,
                        "the agent " + worker.name(),
                        data.resolve("logs/agent-%s.log".formatted(worker.name())),
                        core,
                        arguments(worker, labels),
                        Map.of("EQUIPOISE_JOIN_TOKEN", joinToken)));
    }

    private List<String> arguments(LocalWorker worker, Map<String, String> labels) {
        return Stream.concat(
                        Stream.of(
                                "agent",
                                "--service=" + address,
                                "--name=" + worker.name(),
                                "--slow-down=" + worker.slowDown(),
                                "--label=lab=" + id),
                        labels.entrySet().stream()
                                .map(label ->
                                        "--label=%s=%s"
                                                .formatted(label.getKey(), label.getValue())))
                .toList();
    }

    /**
     * Lets all workers measure a network's training step at the same time. From here on the service
     * and its database run at a lower priority than the workers, as if they had a machine of their
     * own.
     */
    void profile(String network, Progress progress) {
        service.lowerPriority(NICENESS_BESIDE_MEASUREMENTS, database());
        List<String> ids = workers().stream().map(worker -> worker.path("id").asString()).toList();
        api().post(
                        "workers/%s/profiles".formatted(ids.getFirst()),
                        Map.of("network", network, "company", ids.subList(1, ids.size())));
        progress.untilDone(
                "profiling %s on %d workers".formatted(network, ids.size()),
                () -> {
                    requireAlive();
                    return ProfileProgress.of(ids.stream().map(this::newestProfile).toList());
                });
    }

    /** The server of the database and its children, which do not descend from the service. */
    private Stream<ProcessHandle> database() {
        Path file = data.resolve("postgresql/data/postmaster.pid");
        try {
            long pid = Long.parseLong(Files.readAllLines(file).getFirst().strip());
            return ProcessHandle.of(pid).stream()
                    .flatMap(server -> Stream.concat(Stream.of(server), server.descendants()));
        } catch (IOException | NumberFormatException unknown) {
            // A service with a database elsewhere has none here.
            return Stream.empty();
        }
    }

    private JsonNode newestProfile(String worker) {
        return api().get("workers/%s/profiles?limit=1".formatted(worker)).at("/items/0");
    }

    private String whatTheServiceLacks() {
        requireAlive();
        return ServiceApi.isUp(address) ? "" : "it does not answer yet";
    }

    private String whatTheWorkersLack(int wanted) {
        requireAlive();
        List<JsonNode> there = workers();
        return there.size() < wanted
                ? "%d of %d are there".formatted(there.size(), wanted)
                : there.stream()
                        .filter(worker -> !isReady(worker, wanted))
                        .map(worker ->
                                "%s is %s and sees %d"
                                        .formatted(
                                                worker.path("name").asString(),
                                                worker.path("state").asString(),
                                                worker.path("sees").size()))
                        .collect(Collectors.joining(", "));
    }

    private static boolean isReady(JsonNode worker, int wanted) {
        return worker.path("state").asString().equals("IDLE")
                && worker.path("sees").size() >= wanted;
    }

    /** The laboratory's own workers, as the service describes them. */
    List<JsonNode> workers() {
        return api().get("workers?limit=500").path("items").values().stream()
                .filter(worker -> worker.path("labels").path("lab").asString("").equals(id))
                .toList();
    }

    /**
     * Passes if every process is still there.
     *
     * @throws LabFailure with the last words of one that is not
     */
    void requireAlive() {
        if (closing) {
            throw new LabFailure("stopped");
        }
        service.requireAlive();
        agents.forEach(LabProcess::requireAlive);
    }

    /** What to do while the service is still up, when the laboratory is about to close. */
    synchronized void beforeClosing(Runnable action) {
        farewell = action;
    }

    String id() {
        return id;
    }

    URI address() {
        return address;
    }

    String token() {
        return token;
    }

    ServiceApi api() {
        return Objects.requireNonNull(api, "nobody asks before the service is up");
    }

    /**
     * Stops everything, agents first, so that they can take their leave. Ctrl-C and the end of a
     * command may both ask for it; the second waits for the first.
     */
    @Override
    public synchronized void close() {
        if (closing) {
            return;
        }
        closing = true;
        try {
            farewell.run();
            cancelOpenRuns();
        } catch (LabFailure failure) {
            System.err.println("equipoise: runs stay open: " + failure.getMessage());
        } finally {
            agents.forEach(LabProcess::stop);
            agents.forEach(LabProcess::close);
            service.close();
            unlock();
        }
    }

    private void unlock() {
        try {
            lock.close();
        } catch (IOException failure) {
            throw new LabFailure("the data folder's lock cannot be given back", failure);
        }
    }

    /** Nobody will ever bear the label that they ask for again. */
    private void cancelOpenRuns() {
        if (api == null || !service.isAlive()) {
            return;
        }
        long cancelled;
        do {
            cancelled = openRuns().filter(this::asksForThisLab).filter(this::cancel).count();
        } while (cancelled > 0);
    }

    private Stream<String> openRuns() {
        return api().get("runs?limit=500&state=QUEUED,PLACED,PREPARING,RUNNING")
                .path("items")
                .valueStream()
                .map(run -> "runs/" + run.path("id").asString());
    }

    private boolean asksForThisLab(String run) {
        return api().get(run).at("/configuration/workers/selector/lab").asString("").equals(id);
    }

    /** Whether it was still open. */
    private boolean cancel(String run) {
        try {
            api().post(run + "/cancel", Map.of());
            return true;
        } catch (LabFailure ended) {
            return false;
        }
    }

    private static FileChannel lock(Path data) {
        try {
            Files.createDirectories(data);
            FileChannel file =
                    FileChannel.open(
                            data.resolve("lab.lock"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
            if (file.tryLock() == null) {
                throw inUse(data, null);
            }
            return file;
        } catch (OverlappingFileLockException locked) {
            throw inUse(data, locked);
        } catch (IOException failure) {
            throw new LabFailure(
                    "the data folder %s cannot be used: %s"
                            .formatted(data, LabFailure.reason(failure)),
                    failure);
        }
    }

    private static LabFailure inUse(Path data, @Nullable Throwable cause) {
        String sentence =
                "another laboratory runs on %s; stop it or choose another folder with --data"
                        .formatted(data);
        return cause == null ? new LabFailure(sentence) : new LabFailure(sentence, cause);
    }

    private static int freePort(int wanted) {
        try (ServerSocket socket = new ServerSocket(wanted, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException busy) {
            throw new LabFailure(
                    "port %d is in use; stop what listens there or choose another with --port"
                            .formatted(wanted),
                    busy);
        }
    }

    private static String read(Path tokenFile) {
        try {
            return Files.readString(tokenFile).strip();
        } catch (IOException missing) {
            throw new LabFailure(
                    "the administrator's token %s cannot be read; choose another folder with --data"
                            .formatted(tokenFile),
                    missing);
        }
    }
}
