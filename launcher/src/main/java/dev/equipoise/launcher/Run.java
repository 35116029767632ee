package dev.equipoise.launcher;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Runs definitions to their end and compares the results. */
@Command(
        name = "run",
        description = {
            "Submits the runs of a definition or of a preset, waits for them and compares them.",
            "Without a service it starts one, with workers, on this machine, and stops it at the"
                    + " end; Ctrl-C then cancels the runs. Runs of a service continue when the"
                    + " terminal closes, when Ctrl-C is pressed once and then Enter, and when the"
                    + " service does not answer for 5 minutes; Ctrl-C twice cancels them."
        },
        mixinStandardHelpOptions = true)
public final class Run implements Callable<Integer> {

    /** Most runs whose addresses are printed; the comparison has all. */
    private static final int MAX_ADDRESSES = 10;

    @Mixin private final LabOptions options = new LabOptions();

    @Mixin private final SourceOptions sourceOptions = new SourceOptions();

    @Option(
            names = "--target",
            paramLabel = "A",
            description =
                    "compare the time to this test accuracy, such as 0.9 or 90%% (default: that of"
                            + " the definition)")
    private @Nullable String target;

    @Option(
            names = "--profile",
            description =
                    "profile the workers of this machine for these networks first, so that every"
                            + " run has a prediction")
    private boolean profile;

    @Option(
            names = {"--json", "--summary"},
            paramLabel = "FILE",
            description = "write the comparison as JSON (default: none)")
    private @Nullable Path json;

    @Option(
            names = "--csv",
            paramLabel = "FILE",
            description = "write the comparison as CSV (default: none)")
    private @Nullable Path csv;

    @Option(
            names = "--detach",
            description =
                    "submit the runs to a service, print their ids and end; the command 'runs"
                            + " watch' follows them")
    private boolean detach;

    @Option(
            names = "--project",
            paramLabel = "NAME|ID",
            description = "project of the runs (default: your only one)")
    private @Nullable String project;

    @Mixin private final SiteOptions siteOptions = new SiteOptions();

    @Override
    public Integer call() {
        check();
        Source source = sourceOptions.source();
        Optional<ServiceApi.Document> file = source.fromFile();
        Progress progress = Progress.onStandardOutput();
        try (Site site = site(progress)) {
            List<ServiceApi.Document> definitions =
                    file.map(List::of).orElseGet(() -> source.fromPreset(site.api()));
            List<JsonNode> configurations = Submission.check(site.api(), definitions);
            prepare(site, configurations);
            RetryingReader reader = RetryingReader.of(site, progress);
            var submission = new Submission(site, reader);
            if (detach) {
                submission.submit(definitions).forEach(System.out::println);
                return 0;
            }
            var comparison = new ComparisonQuery(site, reader, target(configurations));
            Outcome outcome = submitAndFollow(submission, definitions, comparison, progress);
            if (file.isEmpty()) {
                reader.read(source::published).forEach(System.out::println);
            }
            outcome.requireCompleted();
        }
        return 0;
    }

    private void check() {
        options.check();
        OutputFile.check("--json", json);
        OutputFile.check("--csv", csv);
        if (target != null) {
            var _ = TargetAccuracy.of(target);
        }
        if (detach && (json != null || csv != null || target != null)) {
            throw new UsageError(
                    "--detach ends before there is a comparison: omit --json, --csv and --target");
        }
    }

    private Site site(Progress progress) {
        return siteOptions
                .named(project)
                .orElseGet(() -> {
                    if (detach) {
                        throw new UsageError(
                                "--detach needs a service, since the runs of a lab of this command end"
                                        + " with it: log in, or add --service");
                    }
                    return LocalSite.start(options, progress);
                });
    }

    private void prepare(Site site, List<JsonNode> configurations) {
        site.prepare(configurations);
        if (profile) {
            site.profile(configurations);
        }
    }

    /** Returns the target of the option, or else the one on which all definitions agree. */
    private Optional<Double> target(List<JsonNode> configurations) {
        if (target != null) {
            return Optional.of(TargetAccuracy.of(target));
        }
        List<JsonNode> targets =
                configurations.stream()
                        .map(it -> it.at("/evaluation/target/accuracy"))
                        .distinct()
                        .toList();
        return targets.size() == 1 && targets.getFirst().isNumber()
                ? Optional.of(targets.getFirst().asDouble())
                : Optional.empty();
    }

    /** A comparison of the runs of this command. */
    private record ComparisonQuery(Site site, RetryingReader reader, Optional<Double> target) {

        private String query(List<String> runs) {
            return "comparisons?runs="
                    + String.join(",", runs)
                    + target.map(it -> "&target=" + it).orElse("");
        }

        JsonNode of(List<String> runs) {
            return reader.read(api -> api.get(query(runs)));
        }

        String csv(List<String> runs) {
            return reader.read(api -> api.text(query(runs) + "&format=csv"));
        }
    }

    private record Outcome(int runs, long completed) {

        void requireCompleted() {
            if (completed < runs) {
                throw new LabFailure(
                        "%d of %d runs did not complete".formatted(runs - completed, runs));
            }
        }
    }

    private Outcome submitAndFollow(
            Submission submission,
            List<ServiceApi.Document> definitions,
            ComparisonQuery comparison,
            Progress progress) {
        try {
            List<String> runs = submission.submit(definitions);
            List<String> labels = labels(comparison.of(runs));
            if (comparison.site().outlivesCommand()) {
                printAddresses(comparison.site().api(), runs, labels);
            }
            long completed = submission.follow(labels, progress);
            report(comparison, runs, submission.failures());
            return new Outcome(runs.size(), completed);
        } catch (ServiceUnreachable unreachable) {
            submission.leaveOpen();
            throw unreachable;
        }
    }

    private static void printAddresses(ServiceApi api, List<String> runs, List<String> labels) {
        for (int i = 0; i < Math.min(runs.size(), MAX_ADDRESSES); i++) {
            System.out.printf(
                    "%s: %s%n", labels.get(i), DashboardAddress.ofRun(api.address(), runs.get(i)));
        }
        if (runs.size() > 1) {
            System.out.printf(
                    "comparison: %s%n", DashboardAddress.ofComparison(api.address(), runs));
        }
    }

    private void report(ComparisonQuery query, List<String> runs, List<String> failures) {
        JsonNode comparison = query.of(runs);
        System.out.println();
        System.out.print(RunReport.of(comparison, failures));
        if (json != null) {
            new OutputFile(json).writeJson(comparison);
        }
        if (csv != null) {
            new OutputFile(csv).write(query.csv(runs));
        }
    }

    /** Returns the labels of the runs of a comparison, with their seeds. */
    static List<String> labels(JsonNode comparison) {
        return comparison.path("runs").valueStream().map(RunLabel::of).toList();
    }
}
