package dev.equipoise.agent;

import dev.equipoise.agent.dataset.DatasetRegistry;
import dev.equipoise.agent.dataset.DatasetSettings;
import dev.equipoise.agent.network.Backends;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.replica.LastWeights;
import dev.equipoise.agent.service.Journals;
import dev.equipoise.agent.time.SystemTime;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
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

/**
 * The command line of an agent. Its status is 0 after a polite leave, 1 on failure, 2 on misuse.
 */
@Command(
        name = "equipoise agent",
        mixinStandardHelpOptions = true,
        versionProvider = Agent.Version.class,
        sortOptions = false,
        description = "Lends this machine to an Equipoise lab until it is stopped.")
public final class Agent implements Callable<Integer> {

    private static final Logger log = LoggerFactory.getLogger(Agent.class);

    @Option(
            names = "--service",
            paramLabel = "URL",
            required = true,
            description = "Where the service is, for example http://lab.example:8080.")
    private URI service = URI.create("");

    @Option(
            names = "--join-token",
            paramLabel = "T",
            defaultValue = "${env:EQUIPOISE_JOIN_TOKEN}",
            description =
                    "What the service has issued for joining. Better in EQUIPOISE_JOIN_TOKEN, since"
                            + " others on this machine can read a command line.")
    private String joinToken = "";

    @Option(
            names = "--name",
            paramLabel = "N",
            description = "What people call this worker (default: the host's name).")
    private String name = Host.name();

    @Option(
            names = "--host",
            paramLabel = "H",
            description =
                    "The address at which the other agents reach this one (default: that of the"
                            + " interface towards the service).")
    private @Nullable String host;

    @Option(
            names = "--threads",
            paramLabel = "K",
            description =
                    "Threads that compute (default: 1). OMP_NUM_THREADS sets them and must agree.")
    private int threads = 1;

    @Option(
            names = "--slow-down",
            paramLabel = "F",
            description =
                    "Makes this machine slower by a factor of at least 1 (default: 1), to study"
                            + " unequal machines on equal ones.")
    private double slowDown = 1;

    @Option(
            names = "--label",
            paramLabel = "K=V",
            description = "What an experiment may ask for; may be repeated.")
    private Map<String, String> labels = new LinkedHashMap<>();

    @Mixin private final TimeoutOptions timeoutOptions = new TimeoutOptions();

    private final CommandLine commandLine = new CommandLine(this);

    /** Runs the agent until it is told to stop. */
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
        Settings settings = settings();
        warnOfOtherThreads(System.getenv("OMP_NUM_THREADS"));
        Backend backend = Backends.load();
        try (Journals journals = Journals.open(Journals.folder(System.getenv()));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                Departure _ = Departure.of(Thread.currentThread())) {
            new DutyCycle(
                            settings,
                            new DatasetRegistry(DatasetSettings.fromEnvironment(System.getenv())),
                            Executors.newSingleThreadExecutor(
                                    Thread.ofPlatform().name("compute").daemon().factory()),
                            threads,
                            new SystemTime(),
                            backend,
                            LastWeights.fromEnvironment(System.getenv()),
                            journals)
                    .run();
            threads.shutdownNow();
        }
        return CommandLine.ExitCode.OK;
    }

    private Settings settings() {
        require(
                Set.of("http", "https").contains(String.valueOf(service.getScheme()))
                        && service.getHost() != null,
                "--service must be an http or https address, but was " + service);
        require(
                !joinToken.isBlank(),
                "a join token is needed: set EQUIPOISE_JOIN_TOKEN or give --join-token");
        require(!name.isBlank(), "--name must not be blank");
        require(threads >= 1, "--threads must be at least 1, but was " + threads);
        require(
                slowDown >= 1 && Double.isFinite(slowDown),
                "--slow-down must be at least 1, but was " + slowDown);
        return new Settings(
                service,
                joinToken,
                name,
                host == null ? Host.addressTowards(service) : host,
                threads,
                slowDown,
                labels,
                timeoutOptions.timeouts(this::require));
    }

    private void require(boolean condition, String rule) {
        if (!condition) {
            throw new ParameterException(commandLine, rule);
        }
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
        if (failure instanceof AgentFailed) {
            say(commandLine, String.valueOf(failure.getMessage()));
        } else {
            log.error("the agent failed for an unforeseen reason", failure);
        }
        return CommandLine.ExitCode.SOFTWARE;
    }

    private static void say(CommandLine commandLine, String sentence) {
        commandLine.getErr().println("equipoise agent: " + sentence);
    }

    /** The version of the jar. */
    static final class Version implements IVersionProvider {

        @Override
        public String[] getVersion() {
            String version = Agent.class.getPackage().getImplementationVersion();
            return new String[] {
                "equipoise agent " + (version == null ? "(built from source)" : version)
            };
        }
    }
}
