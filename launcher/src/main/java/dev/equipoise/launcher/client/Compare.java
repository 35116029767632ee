package dev.equipoise.launcher.client;

import dev.equipoise.launcher.ComparisonReport;
import dev.equipoise.launcher.DashboardAddress;
import dev.equipoise.launcher.ServiceApi;
import dev.equipoise.launcher.TargetAccuracy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares runs of a service. */
@Command(
        name = "compare",
        description = "Compares runs with the first one, as the command 'run' does at its end.",
        mixinStandardHelpOptions = true)
final class Compare implements Callable<Integer> {

    @Mixin private final ClientOptions client = new ClientOptions();

    @Option(
            names = "--target",
            paramLabel = "A",
            description = "compare the time to this test accuracy, such as 0.9 or 90%%")
    private @Nullable String target;

    @Parameters(
            arity = "1..*",
            paramLabel = RunCommands.RUN_LABEL,
            description = RunCommands.RUN_DESCRIPTION)
    private List<String> runs = new ArrayList<>();

    @Override
    public Integer call() {
        String accuracy = target == null ? null : String.valueOf(TargetAccuracy.of(target));
        return client.call((api, output) -> {
            List<String> ids = new Finder(api).runs(runs);
            Query query =
                    new Query("comparisons")
                            .with("runs", String.join(",", ids))
                            .with("target", accuracy);
            write(api, query, output);
            output.message("dashboard: " + DashboardAddress.ofComparison(api.address(), ids));
            return ExitStatus.OK;
        });
    }

    private static void write(ServiceApi api, Query query, Output output) {
        switch (output.format()) {
            case TABLE -> output.print(ComparisonReport.of(api.get(query.toString())));
            case CSV -> output.print(api.text(query.with("format", "csv").toString()));
            case JSON, YAML -> output.tree(api.get(query.toString()));
        }
    }
}
