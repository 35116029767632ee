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

/** {@code ./equipoise bench api}. */
@Command(
        name = "api",
        mixinStandardHelpOptions = true,
        description =
                "Starts the service with an embedded database on a folder of its own and is its"
                        + " load: how soon it is ready, how soon a run has trained its first step,"
                        + " how it answers people while agents and readers of events keep it busy,"
                        + " and how fast long lists and curves are. A bound that is missed is told"
                        + " and is no error. Linux only.")
public final class ApiBench implements Callable<Integer> {

    private static final int WARM_STARTS = 3;
    private static final int FIRST_STEPS = 5;
    private static final double READY_SECONDS = 8;
    private static final double STEP_SECONDS = 1.5;
    private static final double MILLIS = 1000;
    private static final int MOST_AGENTS = 5_000;
    private static final int MOST_READERS = 128;

    private enum Phase {
        start,
        step,
        load,
        lists
    }

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "for which the load is measured",
            defaultValue = "60",
            showDefaultValue = Visibility.ALWAYS)
    private int seconds;

    @Option(
            names = "--agents",
            paramLabel = "N",
            description = "simulated agents, with heartbeats every 5 s and long polls",
            defaultValue = "500",
            showDefaultValue = Visibility.ALWAYS)
    private int agents;

    @Option(
            names = "--readers",
            paramLabel = "N",
            description = "streams of events",
            defaultValue = "100",
            showDefaultValue = Visibility.ALWAYS)
    private int readers;

    @Option(
            names = "--points-per-second",
            paramLabel = "N",
            description = "points of metrics, of all agents together",
            defaultValue = "2000",
            showDefaultValue = Visibility.ALWAYS)
    private int pointsPerSecond;

    @Option(
            names = "--quick",
            description = "a tenth of everything for five seconds, to see that it works")
    private boolean quick;

    @Option(
            names = "--phases",
            paramLabel = "P",
            split = ",",
            description = "some of ${COMPLETION-CANDIDATES} (default: all)")
    private List<Phase> phases = List.of(Phase.values());

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "where the figures go as well, a line each")
    private @Nullable Path json;

    @Spec private @Nullable CommandSpec command;

    private final List<ApiFigure> figures = new ArrayList<>();

    @Override
    public Integer call() throws InterruptedException {
        checkOptions();
        Path home = Path.of(System.getProperty("equipoise.home", "."));
        Path data = ServiceProcess.newFolder("api");
        System.out.printf("The service's data and logs: %s%n", data);
        try (ServiceProcess service = start(home, data)) {
            measure(service);
        }
        JsonLines.write(json, figures);
        return 0;
    }

    private void checkOptions() {
        require(
                command,
                seconds >= 1 && seconds <= 3600,
                "--seconds must be from 1 to 3600, but was " + seconds);
        require(
                command,
                agents >= 1 && agents <= MOST_AGENTS,
                "--agents must be from 1 to %d, but was %d".formatted(MOST_AGENTS, agents));
        require(
                command,
                readers >= 0 && readers <= MOST_READERS,
                "--readers must be from 0 to %d, but was %d".formatted(MOST_READERS, readers));
        require(
                command,
                pointsPerSecond >= 1 && pointsPerSecond <= 50 * agents,
                "--points-per-second must be from 1 to 50 for each agent, but was "
                        + pointsPerSecond);
    }

    private ServiceProcess start(Path home, Path data) throws InterruptedException {
        ServiceProcess service = ServiceProcess.start(home, data);
        if (!phases.contains(Phase.start)) {
            return service;
        }
        tell(ApiFigure.told("start to ready, new folder", seconds(service), "s"));
        var warm = new Times();
        for (int start = 0; start < (quick ? 1 : WARM_STARTS); start++) {
            service.close();
            service = ServiceProcess.start(home, data);
            warm.add(seconds(service));
        }
        tell(ApiFigure.below(READY_SECONDS, "start to ready, warm", warm.median(), "s"));
        return service;
    }

    private static double seconds(ServiceProcess service) {
        return service.untilReady().toMillis() / MILLIS;
    }

    private void measure(ServiceProcess service) throws InterruptedException {
        String project = service.api().project("bench");
        if (phases.contains(Phase.step)) {
            Times step = FirstStep.measure(service, project, quick ? 1 : FIRST_STEPS);
            tell(
                    ApiFigure.below(
                            STEP_SECONDS, "submitting to first training step", step.median(), "s"));
            tell(ApiFigure.told("submitting to first training step, most", step.most(), "s"));
        }
        if (phases.contains(Phase.load)) {
            new Load(service, load()).measure(project).forEach(this::tell);
        }
        if (phases.contains(Phase.lists)) {
            new Lists(service.api(), quick ? new Lists.Size(200, 20_000) : LISTS)
                    .measure(project)
                    .forEach(this::tell);
        }
        tell(
                ApiFigure.told(
                        "memory of the service, most until the end",
                        service.memory().mostResident(),
                        "MB"));
    }

    private static final Lists.Size LISTS = new Lists.Size(10_000, 1_000_000);

    private Load.Size load() {
        return quick
                ? new Load.Size(
                        Math.ceilDiv(agents, 10),
                        Math.ceilDiv(readers, 10),
                        Math.ceilDiv(pointsPerSecond, 10),
                        Duration.ofSeconds(5))
                : new Load.Size(agents, readers, pointsPerSecond, Duration.ofSeconds(seconds));
    }

    private void tell(ApiFigure figure) {
        figures.add(figure);
        System.out.println(figure.line());
    }
}
