package dev.equipoise.benchmarks.api;

import static dev.equipoise.benchmarks.Arguments.require;

import dev.equipoise.benchmarks.JsonLines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command {@code ./equipoise bench api}. */
@Command(
        name = "api",
        mixinStandardHelpOptions = true,
        description =
                "Starts the service with an embedded database in a new folder and puts load on"
                        + " it. Measures the time until it is ready, the time until a run has"
                        + " completed its first step, response times under the load of agents and"
                        + " event streams, and long lists and curves. Reports a missed bound"
                        + " without failing. Linux only.")
public final class ApiBench implements Callable<Integer> {

    private static final int WARM_STARTS = 3;
    private static final int FIRST_STEPS = 5;
    private static final double READY_SECONDS = 8;
    private static final double STEP_SECONDS = 1.5;
    private static final double MILLIS = 1000;
    private static final int MAX_SECONDS = 3600;
    private static final int MAX_AGENTS = 5_000;
    private static final int MAX_READERS = 128;
    private static final int MAX_RUNS = 1_000_000;

    private enum Phase {
        start,
        step,
        load,
        lists
    }

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "Duration of the load phase, in seconds",
            defaultValue = "60",
            showDefaultValue = Visibility.ALWAYS)
    private int seconds;

    @Option(
            names = "--agents",
            paramLabel = "N",
            description = "Simulated agents, with heartbeats every 5 s and long polls",
            defaultValue = "500",
            showDefaultValue = Visibility.ALWAYS)
    private int agents;

    @Option(
            names = "--readers",
            paramLabel = "N",
            description = "Event streams",
            defaultValue = "100",
            showDefaultValue = Visibility.ALWAYS)
    private int readers;

    @Option(
            names = "--points-per-second",
            paramLabel = "N",
            description = "Metric points per second, of all agents together",
            defaultValue = "2000",
            showDefaultValue = Visibility.ALWAYS)
    private int pointsPerSecond;

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "Runs of the lists phase, whole thousands; 100000 takes half an hour",
            defaultValue = "10000",
            showDefaultValue = Visibility.ALWAYS)
    private int runs;

    @Option(
            names = "--quick",
            description = "A tenth of everything for five seconds, as a smoke test")
    private boolean quick;

    @Option(
            names = "--phases",
            paramLabel = "P",
            split = ",",
            description = "Phases, of ${COMPLETION-CANDIDATES} (default: all)")
    private List<Phase> phases = List.of(Phase.values());

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "File for the figures, one line each")
    private @Nullable Path json;

    @Spec private @Nullable CommandSpec command;

    private final List<ApiFigure> figures = new ArrayList<>();

    @Override
    public Integer call() throws InterruptedException {
        checkOptions();
        Path home = Path.of(System.getProperty("equipoise.home", "."));
        Path data = ServiceProcess.newFolder("api");
        System.out.printf("Data and logs of the service: %s%n", data);
        try (ServiceProcess service = start(home, data)) {
            measure(service);
        }
        JsonLines.write(json, figures);
        return 0;
    }

    private void checkOptions() {
        requireRange("--seconds", seconds, 1, MAX_SECONDS);
        requireRange("--agents", agents, 1, MAX_AGENTS);
        requireRange("--readers", readers, 0, MAX_READERS);
        requireRange("--runs", runs, MadeUpRuns.AT_ONCE, MAX_RUNS);
        require(
                command,
                runs % MadeUpRuns.AT_ONCE == 0,
                "--runs must be a multiple of %d, but was %d".formatted(MadeUpRuns.AT_ONCE, runs));
        require(
                command,
                pointsPerSecond >= 1 && pointsPerSecond <= 50 * agents,
                "--points-per-second must be from 1 to 50 for each agent, but was "
                        + pointsPerSecond);
    }

    private void requireRange(String option, int value, int least, int most) {
        require(
                command,
                value >= least && value <= most,
                "%s must be from %d to %d, but was %d".formatted(option, least, most, value));
    }

    private ServiceProcess start(Path home, Path data) throws InterruptedException {
        ServiceProcess service = ServiceProcess.start(home, data);
        if (!phases.contains(Phase.start)) {
            return service;
        }
        add(ApiFigure.of("start to ready, new folder", seconds(service), "s"));
        var warm = new Latencies();
        for (int start = 0; start < (quick ? 1 : WARM_STARTS); start++) {
            service.close();
            service = ServiceProcess.start(home, data);
            warm.add(seconds(service));
        }
        add(ApiFigure.below(READY_SECONDS, "start to ready, warm", warm.median(), "s"));
        return service;
    }

    private static double seconds(ServiceProcess service) {
        return service.untilReady().toMillis() / MILLIS;
    }

    private void measure(ServiceProcess service) throws InterruptedException {
        String project = service.api().project("bench");
        if (phases.contains(Phase.step)) {
            measureFirstStep(service, project);
        }
        if (phases.contains(Phase.load)) {
            new Load(service, load()).measure(project).forEach(this::add);
        }
        if (phases.contains(Phase.lists)) {
            new LargeListReader(service.api(), lists()).measure(project).forEach(this::add);
        }
        double memory = service.memory().mostResident();
        add(ApiFigure.of("memory of the service, most until the end", memory, "MB"));
    }

    private void measureFirstStep(ServiceProcess service, String project)
            throws InterruptedException {
        Latencies step = FirstStep.measure(service, project, quick ? 1 : FIRST_STEPS);
        String what = "submitting to first training step";
        add(ApiFigure.below(STEP_SECONDS, what, step.median(), "s"));
        add(ApiFigure.of(what + ", most", step.most(), "s"));
    }

    private LargeListReader.Size lists() {
        return quick
                ? new LargeListReader.Size(200, 20_000)
                : new LargeListReader.Size(runs, 1_000_000);
    }

    private Load.Size load() {
        return quick
                ? new Load.Size(
                        Math.ceilDiv(agents, 10),
                        Math.ceilDiv(readers, 10),
                        Math.ceilDiv(pointsPerSecond, 10),
                        Duration.ofSeconds(5))
                : new Load.Size(agents, readers, pointsPerSecond, Duration.ofSeconds(seconds));
    }

    private void add(ApiFigure figure) {
        figures.add(figure);
        System.out.println(figure.line());
    }
}
