package dev.equipoise.launcher;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares published figures with those of runs, in one table. */
@Command(
        name = "results",
        description = {
            "Compares the published figures of presets with those of the runs that the service has"
                    + " stored, runs what is missing, and prints one table in Markdown.",
            "Without a service it starts one, with workers, on this machine, and stops it at the"
                    + " end; --data keeps its runs, and Ctrl-C cancels them. Runs of a service"
                    + " continue when the terminal closes, when Ctrl-C is pressed once and then"
                    + " Enter, and when the service does not answer for 5 minutes."
        },
        mixinStandardHelpOptions = true)
public final class Results implements Callable<Integer> {

    @Mixin private final LabOptions options = new LabOptions();

    @Parameters(
            arity = "0..*",
            paramLabel = "PRESET",
            description = "presets (default: all that have published figures)")
    private List<String> presets = new ArrayList<>();

    @Option(
            names = "--scale",
            paramLabel = "S",
            split = ",",
            description = {
                "scales of the presets, separated by commas, the preferred one first",
                "The first at which the runs of a preset measure a figure counts."
            },
            defaultValue = "small",
            showDefaultValue = Visibility.ALWAYS)
    private List<String> scales = new ArrayList<>();

    @Option(
            names = "--stored",
            description = "read stored runs alone; figures without them are \"not run\"")
    private boolean stored;

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description =
                    "also replace the table between the two markers of this page; not with PRESET")
    private @Nullable Path output;

    @Mixin private final SiteOptions siteOptions = new SiteOptions();

    @Option(
            names = "--project",
            paramLabel = "NAME|ID",
            description = "project of the runs (default: your only one)")
    private @Nullable String project;

    @Override
    public Integer call() {
        check();
        Progress progress = Progress.onStandardOutput();
        try (Site site = site(progress)) {
            RetryingReader reader = RetryingReader.of(site, progress);
            List<PublishedPreset> published =
                    reader.read(api -> PublishedPreset.read(api, presets, scales));
            var measurement = new FigureMeasurement(site, reader, progress);
            if (stored) {
                print(measurement.stored(published));
            } else {
                print(measurement.complete(published));
            }
        }
        return 0;
    }

    private void check() {
        options.check();
        if (scales.isEmpty()) {
            throw new UsageError("--scale must name at least one scale");
        }
        if (output != null && !presets.isEmpty()) {
            throw new UsageError(
                    "--output replaces the table of all presets by the lines of %s: omit the"
                                    .formatted(String.join(", ", presets))
                            + " presets, or omit --output");
        }
        MarkedFile.check(output, MarkedFile.FIGURES);
    }

    private void print(FigureMeasurement.Report report) {
        print(report.lines());
        if (report.failed() > 0) {
            throw new LabFailure("%d runs did not complete".formatted(report.failed()));
        }
    }

    private void print(List<FigureTable.Line> lines) {
        String table = FigureTable.of(lines);
        System.out.printf("%n%s", table);
        if (output != null) {
            // Hours may have passed since the check, and the page may have changed.
            MarkedFile.of(output, MarkedFile.FIGURES).write("\n" + table + "\n");
        }
    }

    private Site site(Progress progress) {
        return siteOptions.named(project).orElseGet(() -> LocalSite.start(options, progress));
    }
}
