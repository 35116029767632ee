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
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
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
 * Lab on this machine: a service with an embedded database and some agents, each in its own
 * process. Agents keep their state in the data folder, so that a later lab on it has the same
 * workers with their profiles. The workers have the label {@code lab} with a value unique to this
 * lab, by which experiments select them.
 */
final class LocalLab implements AutoCloseable {

    /** Niceness of the service and its database while workers are profiled. */
    private static final int NICENESS_BESIDE_MEASUREMENTS = 10;

    /** Time in which a new agent may join; one that returns leaves its token unused. */
    private static final Duration JOIN_TOKEN_LIFE = Duration.ofHours(1);

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
    private Runnable closingAction = () -> {};

    private LocalLab(
            Path home, LabOptions options, FileChannel lock, URI address, Progress progress) {
        this.home = home;
        this.data = options.data();
        this.startTimeout = options.startTimeout();
        this.lock = lock;
        this.address = address;
        Path tokenFile = data.resolve("administrator.token");
        this.service = startService(home, data, address.getPort(), tokenFile);
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(this::close));
        progress.awaitReady("starting the service", startTimeout, this::serviceObstacle);
        this.token = read(tokenFile);
        this.api = new ServiceApi(address, token);
    }

    /**
     * Starts the service and the workers, and waits until the workers see one another.
     *
     * @throws LabFailure if the port or the data folder is in use, or a process ends
     */
    static LocalLab start(LabOptions options, List<LocalWorker> workers, Progress progress) {
        LocalLab lab = start(options, progress);
        lab.startWorkers(workers, Map.of(), progress);
        return lab;
    }

    /**
     * Starts the service alone.
     *
     * @throws LabFailure if the port or the data folder is in use, or the process ends
     */
    static LocalLab start(LabOptions options, Progress progress) {
        Path home = Path.of(System.getProperty("equipoise.home", "."));
        FileChannel lock = lock(options.data());
        URI address = URI.create("http://127.0.0.1:" + freePort(options.port()));
        return new LocalLab(home, options, lock, address, progress);
    }

    private static LabProcess startService(Path home, Path data, int port, Path tokenFile) {
        return LabProcess.start(
                home,
                "the service",
                data.resolve("logs/service.log"),
                null,
                List.of(
                        "service",
                        "--server.port=" + port,
                        "--equipoise.data=" + data,
                        "--equipoise.account.administrator-token-file=" + tokenFile),
                Map.of());
    }

    /**
     * Starts the workers of the lab, and waits until they see one another.
     *
     * @param labels labels that the workers have in addition to {@code lab}
     */
    void startWorkers(List<LocalWorker> workers, Map<String, String> labels, Progress progress) {
        Map<LocalWorker, Integer> cores = CorePinning.spread(workers, CorePinning.allowed());
        workers.forEach(worker -> startAgent(worker, labels, cores.get(worker)));
        progress.awaitReady(
                "joining %d workers".formatted(workers.size()),
                startTimeout,
                () -> workersObstacle(workers.size()));
    }

    private synchronized void startAgent(
            LocalWorker worker, Map<String, String> labels, @Nullable Integer core) {
        requireAlive();
        agents.add(
                LabProcess.start(
                        home,
                        "the agent " + worker.name(),
                        data.resolve("logs/agent-%s.log".formatted(worker.name())),
                        core,
                        arguments(worker, labels),
                        Map.of("EQUIPOISE_JOIN_TOKEN", joinToken(worker))));
    }

    private String joinToken(LocalWorker worker) {
        Instant expiry = Instant.now().plus(JOIN_TOKEN_LIFE);
        return api().post(
                        "join-tokens",
                        Map.of("name", worker.name(), "expiresAt", expiry.toString()))
                .path("token")
                .asString();
    }

    private List<String> arguments(LocalWorker worker, Map<String, String> labels) {
        return Stream.concat(
                        Stream.of(
                                "agent",
                                "--service=" + address,
                                "--name=" + worker.name(),
                                "--slow-down=" + worker.slowDown(),
                                "--state=" + data.resolve("agents").resolve(worker.name()),
                                "--label=lab=" + id),
                        labels.entrySet().stream()
                                .map(label ->
                                        "--label=%s=%s"
                                                .formatted(label.getKey(), label.getValue())))
                .toList();
    }

    /**
     * Profiles the training step of a network on all workers at the same time. From then on the
     * service and its database run at a lower priority than the workers, as if they ran on another
     * machine.
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

    /** Returns the database server and its children, which do not descend from the service. */
    private Stream<ProcessHandle> database() {
        Path file = data.resolve("postgresql/data/postmaster.pid");
        try {
            long pid = Long.parseLong(Files.readAllLines(file).getFirst().strip());
            return ProcessHandle.of(pid).stream()
                    .flatMap(server -> Stream.concat(Stream.of(server), server.descendants()));
        } catch (IOException | NumberFormatException unknown) {
            // A service with an external database has none here.
            return Stream.empty();
        }
    }

    private JsonNode newestProfile(String worker) {
        return api().get("workers/%s/profiles?limit=1".formatted(worker)).at("/items/0");
    }

    private String serviceObstacle() {
        requireAlive();
        return ServiceApi.isUp(new ServiceEndpoint(address, null)) ? "" : "no answer yet";
    }

    private String workersObstacle(int wanted) {
        requireAlive();
        List<JsonNode> joined = workers();
        return joined.size() < wanted
                ? "%d of %d have joined".formatted(joined.size(), wanted)
                : joined.stream()
                        .filter(worker -> !isReady(worker, wanted))
                        .map(worker ->
                                "%s is %s and sees %d workers"
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

    /** Returns the workers of this lab, as the service describes them. */
    List<JsonNode> workers() {
        return api().get("workers?limit=500").path("items").values().stream()
                .filter(worker -> worker.path("labels").path("lab").asString("").equals(id))
                .toList();
    }

    /**
     * Checks that every process still runs.
     *
     * @throws LabFailure with the last error of a process that has ended
     */
    void requireAlive() {
        if (closing) {
            throw new LabFailure("the lab is stopped");
        }
        service.requireAlive();
        agents.forEach(LabProcess::requireAlive);
    }

    /** Sets an action that runs when the lab closes, while the service is still up. */
    synchronized void beforeClosing(Runnable action) {
        closingAction = action;
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
        return Objects.requireNonNull(api, "the service is not up yet");
    }

    /**
     * Stops all processes, agents first so that they can leave the lab. Ctrl-C and the end of a
     * command may both call this; the second call waits for the first.
     */
    @Override
    public synchronized void close() {
        if (closing) {
            return;
        }
        closing = true;
        try {
            closingAction.run();
            cancelOpenRuns();
        } catch (LabFailure failure) {
            System.err.println("equipoise: cannot cancel open runs: " + failure.getMessage());
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
            throw new LabFailure(
                    "cannot release the lock of the data folder %s: %s"
                            .formatted(data, LabFailure.reason(failure)),
                    failure);
        }
    }

    /** Cancels open runs that select the label of this lab, which no later worker will have. */
    private void cancelOpenRuns() {
        if (api == null || !service.isAlive()) {
            return;
        }
        long canceled;
        do {
            canceled = openRuns().filter(this::selectsThisLab).filter(this::cancel).count();
        } while (canceled > 0);
    }

    private Stream<String> openRuns() {
        return api().get("runs?limit=500&state=QUEUED,PLACED,PREPARING,RUNNING")
                .path("items")
                .valueStream()
                .map(run -> "runs/" + run.path("id").asString());
    }

    private boolean selectsThisLab(String run) {
        return api().get(run).at("/configuration/workers/selector/lab").asString("").equals(id);
    }

    /** Returns whether the run was still open. */
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
            // As the service does: other users of the host must not see the ids of runs.
            Files.createDirectories(
                    data,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
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
                "another lab uses the data folder %s; stop it or choose another with --data"
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
                    "cannot read the administrator token %s; choose another folder with --data"
                            .formatted(tokenFile),
                    missing);
        }
    }
}
