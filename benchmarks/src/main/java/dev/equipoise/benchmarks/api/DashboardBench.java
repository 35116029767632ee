package dev.equipoise.benchmarks.api;

import dev.equipoise.benchmarks.BenchFailed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Command {@code ./equipoise bench dashboard}. */
@Command(
        name = "dashboard",
        mixinStandardHelpOptions = true,
        description =
                "Starts the service with an embedded database in a new folder, fills it with runs"
                        + " and curves, and measures the dashboard in Chromium: loading, scrolling"
                        + " a long table, comparing runs, and the cost of a live run. Reports a"
                        + " missed bound without failing.")
public final class DashboardBench implements Callable<Integer> {

    private static final int RUNS = 5_000;
    private static final int COMPARED = 20;
    private static final int POINTS = 100_000;
    private static final int POINTS_PER_SECOND = 50;
    private static final int LIVE_EPOCHS = 10_000;
    private static final String LIVE = "live";

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "File for the figures, one line each")
    private @Nullable Path json;

    @Override
    public Integer call() throws InterruptedException {
        Path home = Path.of(System.getProperty("equipoise.home", "."));
        Path data = ServiceProcess.newFolder("dashboard");
        System.out.printf("Data and logs of the service: %s%n", data);
        try (ServiceProcess service = ServiceProcess.start(home, data)) {
            return measure(service, home.resolve("web-ui"));
        }
    }

    private int measure(ServiceProcess service, Path browser) throws InterruptedException {
        Api api = service.api();
        String project = api.project("bench");
        var runs = new MadeUpRuns(api, project);
        System.out.printf("%,d runs, and %d with %,d points%n", RUNS, COMPARED, POINTS);
        runs.brief(RUNS);
        List<String> compared = runs.withCurves(COMPARED, POINTS);
        var behavior = new Behavior.Steady(POINTS_PER_SECOND, new LongAdder());
        try (SimulatedAgents agents = SimulatedAgents.join(api, 1, LIVE, behavior)) {
            String live =
                    api.submit(api.define(project, Definitions.simulated(LIVE, LIVE_EPOCHS, 1)))
                            .getFirst();
            int status = browse(service, browser, compared, live);
            agents.requireNoFailure();
            return status;
        }
    }

    private int browse(ServiceProcess service, Path folder, List<String> compared, String live)
            throws InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder("npm", "run", "--silent", "measure:browser")
                        .directory(folder.toFile())
                        .inheritIO();
        builder.environment().putAll(environment(service, compared, live));
        try {
            return builder.start().waitFor();
        } catch (IOException e) {
            throw new BenchFailed("cannot start npm: " + e.getMessage(), e);
        }
    }

    private Map<String, String> environment(
            ServiceProcess service, List<String> compared, String live) {
        Map<String, String> environment = new HashMap<>();
        environment.put("EQUIPOISE_URL", service.address().toString());
        environment.put("EQUIPOISE_TOKEN", service.api().token());
        environment.put("EQUIPOISE_COMPARED", String.join(",", compared));
        environment.put("EQUIPOISE_LIVE", live);
        if (json != null) {
            environment.put("EQUIPOISE_FIGURES", json.toAbsolutePath().toString());
        }
        return environment;
    }
}
