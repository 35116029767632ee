package dev.equipoise.agent.lifecycle;

import dev.equipoise.agent.cluster.HostAndPort;
import dev.equipoise.agent.dataset.DatasetRegistry;
import dev.equipoise.agent.dataset.DatasetSettings;
import dev.equipoise.agent.network.Backends;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.network.step.BackendKind;
import dev.equipoise.agent.network.step.BackendUnavailable;
import dev.equipoise.agent.service.Journals;
import dev.equipoise.agent.service.ServiceEndpoint;
import dev.equipoise.agent.status.AgentMeters;
import dev.equipoise.agent.status.AgentStatus;
import dev.equipoise.agent.status.StatusServer;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.agent.trace.RunTracer;
import dev.equipoise.agent.training.DivergedWeightsStore;
import dev.equipoise.protocol.ProtocolVersion;
import dev.equipoise.protocol.SoftwareVersion;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Command line of an agent, which joins a worker to a lab. */
@Command(
        name = "equipoise agent",
        mixinStandardHelpOptions = true,
        versionProvider = Agent.Version.class,
        sortOptions = false,
        description = "Joins this machine to an Equipoise lab as a worker until it is stopped.",
        exitCodeListHeading = "Exit status:%n",
        exitCodeList = {
            "0:The agent was asked to stop and has left the lab.",
            "1:The agent has failed, or another agent uses its state folder; another start may"
                    + " succeed.",
            "2:The command line is wrong.",
            "77:The service rejected the join token, or knows this worker no more and there is no"
                    + " join token."
        })
public final class Agent implements Callable<Integer> {

    private static final Logger log = LoggerFactory.getLogger(Agent.class);
    private static final int MAX_PORT = 65_535;

    /** Environment variable for the format of the log, which logback.xml reads: text or json. */
    private static final String LOG_VARIABLE = "EQUIPOISE_LOG";

    private static final Set<String> LOG_FORMATS = Set.of("text", "json");

    @Option(
            names = "--service",
            paramLabel = "URL",
            required = true,
            converter = ServiceOption.class,
            description = "Address of the service, for example http://lab.example:8080.")
    private URI service = URI.create("");

    @Mixin private final TrustOptions trustOptions = new TrustOptions();

    @Option(
            names = "--join-token",
            paramLabel = "T",
            defaultValue = "${env:EQUIPOISE_JOIN_TOKEN}",
            description =
                    "Join token of the service, which only the first start needs (default: none)."
                            + " Prefer"
                            + " EQUIPOISE_JOIN_TOKEN, since other users of this machine can read"
                            + " the command line.")
    private String joinToken = "";

    @Option(
            names = "--join-token-file",
            paramLabel = "F",
            defaultValue = "${env:EQUIPOISE_JOIN_TOKEN_FILE}",
            description =
                    "File that contains the join token, instead of --join-token (default:"
                            + " none).")
    private @Nullable Path joinTokenFile;

    @Option(
            names = "--state",
            paramLabel = "DIR",
            defaultValue = "${env:EQUIPOISE_STATE}",
            description =
                    "Folder that makes this agent the same worker after a restart; one agent a"
                            + " folder (default: equipoise/agent in XDG_STATE_HOME or"
                            + " ~/.local/state; EQUIPOISE_STATE sets it).")
    private @Nullable Path state;

    @Option(
            names = "--name",
            paramLabel = "N",
            description = "Name of this worker in the lab (default: the host's name).")
    private String name = HostInspector.name();

    @Option(
            names = "--host",
            paramLabel = "H",
            description =
                    "Address at which the other agents reach this one (default: that of the"
                            + " interface towards the service).")
    private @Nullable String host;

    @Option(
            names = "--port",
            paramLabel = "P",
            description = "Port for the Hazelcast cluster of the agents (default: a free port).")
    private int port;

    @Option(
            names = "--data-port",
            paramLabel = "P",
            description = "Port for the other ranks of a run (default: a free port).")
    private int dataPort;

    @Option(
            names = "--members",
            paramLabel = "HOST:PORT",
            description =
                    "Host name whose addresses are all seed members of the cluster, besides the"
                            + " members that the service names; may be repeated (default: none).")
    private List<String> members = new ArrayList<>();

    @Option(
            names = "--threads",
            paramLabel = "K",
            description =
                    "Threads that compute (default: 1). OMP_NUM_THREADS sets them and must agree.")
    private int threads = 1;

    @Option(
            names = "--backend",
            paramLabel = "B",
            converter = BackendOption.class,
            description =
                    "Numeric library that computes: onednn, or nd4j, which takes two to four times as"
                            + " long (default: onednn where it has a binary, else nd4j). It is a"
                            + " label of the worker as well.")
    private @Nullable BackendKind backend;

    @Option(
            names = "--slow-down",
            paramLabel = "F",
            description =
                    "Factor of at least 1 by which this machine computes more slowly (default:"
                            + " 1), to study unequal machines on equal ones.")
    private double slowDown = 1;

    @Option(
            names = "--label",
            paramLabel = "K=V",
            description =
                    "Label that the selector of an experiment can match, besides device=cpu or"
                            + " device=cuda and backend=onednn or backend=nd4j; may be repeated (default: none).")
    private Map<String, String> labels = new LinkedHashMap<>();

    @Mixin private final TimeoutOptions timeoutOptions = new TimeoutOptions();

    @Option(
            names = "--status-port",
            paramLabel = "P",
            description =
                    "Port of --host that answers /live, /ready and /metrics without"
                            + " authentication (default: none; 0 for a free port).")
    private @Nullable Integer statusPort;

    private final CommandLine commandLine = new CommandLine(this);

    /** Runs the agent until it is told to stop, and exits the process. */
    public static void main(String[] arguments) {
        var out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        var err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(execute(out, err, arguments));
    }

    static int execute(PrintWriter out, PrintWriter err, String... arguments) {
        CommandLine commandLine = new Agent().commandLine.setOut(out).setErr(err);
        commandLine.setParameterExceptionHandler(Agent::misused);
        commandLine.setExecutionExceptionHandler(Agent::failed);
        return commandLine.execute(arguments);
    }

    @Override
    public Integer call() {
        AgentSettings settings = settings();
        warnOfOtherThreads(System.getenv("OMP_NUM_THREADS"));
        Backend loaded = loadBackend();
        var status = new AgentStatus();
        AgentMeters meters = statusPort == null ? null : new AgentMeters(status);
        try (StateFolder folder = stateFolder(settings);
                StatusServer _ = status(settings.address().host(), status, meters);
                Journals journals = Journals.open(Journals.folder(System.getenv()));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                ShutdownHook _ = ShutdownHook.of(Thread.currentThread());
                RunTracer tracer = tracer()) {
            new AgentLoop(
                            settings,
                            new DatasetRegistry(DatasetSettings.fromEnvironment(System.getenv())),
                            Executors.newSingleThreadExecutor(
                                    Thread.ofPlatform().name("compute").daemon().factory()),
                            threads,
                            new SystemTime(),
                            loaded,
                            DivergedWeightsStore.fromEnvironment(System.getenv()),
                            new AgentStorage(journals, folder),
                            new AgentObservers(status, meters == null ? _ -> {} : meters, tracer))
                    .run();
            threads.shutdownNow();
        }
        return CommandLine.ExitCode.OK;
    }

    /**
     * Opens the state folder. Without a worker in it, this agent needs a join token; a worker comes
     * back without one, also when its file is gone.
     */
    private StateFolder stateFolder(AgentSettings settings) {
        StateFolder folder =
                StateFolder.open(state == null ? StateFolder.folder(System.getenv()) : state);
        boolean isNew = folder.identity().isEmpty() && folder.joining().isEmpty();
        if (isNew && settings.joinToken().isBlank()) {
            folder.close();
            throw new ParameterException(
                    commandLine,
                    joinTokenFile == null
                            ? "a join token must be given: set EQUIPOISE_JOIN_TOKEN or give --join-token"
                            : "--join-token-file %s cannot be read, or is empty"
                                    .formatted(joinTokenFile));
        }
        return folder;
    }

    private Backend loadBackend() {
        try {
            return Backends.load(backend);
        } catch (BackendUnavailable e) {
            throw new AgentFailed(String.valueOf(e.getMessage()), e);
        }
    }

    private RunTracer tracer() {
        try {
            return RunTracer.fromEnvironment(System.getenv(), name);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(
                    commandLine,
                    "the address of the trace collector is invalid: " + e.getMessage(),
                    e);
        }
    }

    private @Nullable StatusServer status(
            String address, AgentStatus status, @Nullable AgentMeters meters) {
        if (statusPort == null || meters == null) {
            return null;
        }
        try {
            StatusServer server = StatusServer.open(address, statusPort, status, meters);
            log.info("status server listens at port {}", server.address().getPort());
            return server;
        } catch (IOException e) {
            throw new AgentFailed(
                    "--status-port %d cannot be opened at %s: %s"
                            .formatted(statusPort, address, e.getMessage()),
                    e);
        }
    }

    private AgentSettings settings() {
        requireLog(System.getenv(LOG_VARIABLE));
        String token = joinTokenFile == null ? joinToken : read(joinTokenFile);
        require(!name.isBlank(), "--name must not be blank");
        requirePorts();
        requireMembers();
        require(threads >= 1, "--threads must be at least 1, but was " + threads);
        require(
                slowDown >= 1 && Double.isFinite(slowDown),
                "--slow-down must be at least 1, but was " + slowDown);
        return new AgentSettings(
                endpoint(),
                token,
                name,
                new AgentSettings.Address(advertisedHost(), port, dataPort),
                members,
                threads,
                slowDown,
                labels,
                timeoutOptions.timeouts(this::require));
    }

    private ServiceEndpoint endpoint() {
        try {
            return trustOptions.endpoint(service, System.getenv());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(commandLine, String.valueOf(e.getMessage()), e);
        }
    }

    /** A wrong option cannot succeed later; a host without a network or a name server can. */
    private String advertisedHost() {
        if (host != null) {
            refusal(host).ifPresent(it -> require(false, it));
            return host;
        }
        if (!HostInspector.isResolved(service.getHost())) {
            throw new AgentFailed(
                    "could not join: the host name of --service has no address: " + service, null);
        }
        String own = HostInspector.addressTowards(service);
        refusal(own)
                .ifPresent(it -> {
                    throw new AgentFailed("could not join: " + it, null);
                });
        return own;
    }

    private Optional<String> refusal(String address) {
        return AdvertisedAddress.refusal(
                address, service, HostInspector::isLoopback, HostInspector.ownAddresses());
    }

    private void requirePorts() {
        requirePort("--port", port);
        requirePort("--data-port", dataPort);
        requirePort("--status-port", statusPort == null ? 0 : statusPort);
        require(
                port == 0 || port != dataPort,
                "--port and --data-port must differ, but were both " + port);
    }

    private void requireMembers() {
        for (String member : members) {
            require(
                    HostAndPort.parse(member).isPresent(),
                    "--members must be host:port, but was " + member);
        }
    }

    /** Returns the token, or an empty text if the file cannot be read. */
    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            log.debug("--join-token-file {} cannot be read: {}", file, e.toString());
            return "";
        }
    }

    private void requirePort(String option, int port) {
        require(
                port >= 0 && port <= MAX_PORT,
                "%s must be from 0 to %d, but was %d".formatted(option, MAX_PORT, port));
    }

    private void require(boolean condition, String rule) {
        if (!condition) {
            throw new ParameterException(commandLine, rule);
        }
    }

    /** Checks the log format: with an unknown one, logback would log nothing. */
    private void requireLog(@Nullable String format) {
        require(
                format == null || LOG_FORMATS.contains(format),
                "%s must be text or json, but was %s".formatted(LOG_VARIABLE, format));
    }

    private void warnOfOtherThreads(@Nullable String openMpThreads) {
        if (!String.valueOf(threads).equals(openMpThreads)) {
            log.warn(
                    "--threads is {}, but OMP_NUM_THREADS, which decides, is {}",
                    threads,
                    openMpThreads == null ? "not set" : openMpThreads);
        }
    }

    private static int misused(ParameterException misuse, String[] arguments) {
        say(misuse.getCommandLine(), misuse.getMessage() + " (--help tells more)");
        return CommandLine.ExitCode.USAGE;
    }

    private static int failed(
            Exception failure, CommandLine commandLine, CommandLine.ParseResult arguments) {
        if (failure instanceof AgentFailed failed) {
            say(commandLine, String.valueOf(failed.getMessage()));
            return failed.status();
        }
        log.error("the agent failed with an unexpected error", failure);
        return CommandLine.ExitCode.SOFTWARE;
    }

    private static void say(CommandLine commandLine, String sentence) {
        commandLine.getErr().println("equipoise agent: " + sentence);
    }

    static final class Version implements IVersionProvider {

        @Override
        public String[] getVersion() {
            return new String[] {
                "equipoise agent %s (protocol %s)"
                        .formatted(SoftwareVersion.OWN, ProtocolVersion.OWN)
            };
        }
    }
}
