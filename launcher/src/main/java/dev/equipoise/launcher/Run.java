package dev.equipoise.launcher;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
                    + " end. Ctrl-C cancels the runs. If a service given by --service does not"
                    + " answer for 5 minutes, the command ends and its runs continue."
        },
        mixinStandardHelpOptions = true)
final class Run implements Callable<Integer> {

    private static final Pattern TARGET = Pattern.compile("accuracy=(0(?:\\.\\d+)?|1(?:\\.0+)?)");

    @Mixin private final LabOptions options = new LabOptions();

    @Mixin private final SourceOptions sourceOptions = new SourceOptions();

    @Option(
            names = "--target",
            paramLabel = "accuracy=A",
            description = "compare the time to this test accuracy")
    private @Nullable String target;

    @Option(
            names = "--profile",
            description =
                    "profile the workers of this machine for these networks first, so that every"
                            + " run has a prediction")
    private boolean profile;

    @Option(names = "--summary", paramLabel = "FILE", description = "write the comparison as JSON")
    private @Nullable Path summary;

    @Option(names = "--csv", paramLabel = "FILE", description = "write the comparison as CSV")
    private @Nullable Path csv;

    @Mixin private final SiteOptions siteOptions = new SiteOptions();

    @Override
    public Integer call() {
        options.check();
        OutputFile.check("--summary", summary);
        OutputFile.check("--csv", csv);
        String accuracy = accuracy();
        Source source = sourceOptions.source();
        Optional<ServiceApi.Document> file = source.fromFile();
        Progress progress = Progress.onStandardOutput();
        try (Site site = site(progress)) {
            List<ServiceApi.Document> definitions =
                    file.map(List::of).orElseGet(() -> source.fromPreset(site.api()));
            prepare(site, Submission.check(site.api(), definitions));
            RetryingReader reader = RetryingReader.of(site, progress);
            var submission = new Submission(site, reader);
            Outcome outcome = submitAndFollow(submission, definitions, accuracy, reader, progress);
            if (file.isEmpty()) {
                reader.read(source::published).forEach(System.out::println);
            }
            outcome.requireCompleted();
        }
        return 0;
    }

    private void prepare(Site site, List<JsonNode> configurations) {
        site.prepare(configurations);
        if (profile) {
            site.profile(configurations);
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
            String accuracy,
            RetryingReader reader,
            Progress progress) {
        try {
            List<String> runs = submission.submit(definitions);
            String query = "comparisons?runs=" + String.join(",", runs) + accuracy;
            JsonNode begun = reader.read(api -> api.get(query));
            long completed = submission.follow(labels(begun), progress);
            report(reader, query);
            return new Outcome(runs.size(), completed);
        } catch (ServiceUnreachable unreachable) {
            submission.leaveOpen();
            throw unreachable;
        }
    }

    private void report(RetryingReader reader, String query) {
        JsonNode comparison = reader.read(api -> api.get(query));
        System.out.println();
        System.out.print(ComparisonReport.of(comparison));
        if (summary != null) {
            new OutputFile(summary).writeJson(comparison);
        }
        if (csv != null) {
            new OutputFile(csv).write(reader.read(api -> api.text(query + "&format=csv")));
        }
    }

    /** Returns the labels of the runs of a comparison, with their seeds. */
    static List<String> labels(JsonNode comparison) {
        return comparison
                .path("runs")
                .valueStream()
                .map(run ->
                        "%s, seed %d"
                                .formatted(run.path("label").asString(), run.path("seed").asLong()))
                .toList();
    }

    private Site site(Progress progress) {
        return siteOptions.named().orElseGet(() -> LocalSite.start(options, progress));
    }

    /** Returns the target accuracy as a parameter of the comparison request. */
    private String accuracy() {
        if (target == null) {
            return "";
        }
        Matcher matcher = TARGET.matcher(target);
        if (!matcher.matches()) {
            throw new UsageError(
                    "--target must be accuracy= and a number from 0 to 1, but was " + target);
        }
        return "&target=" + matcher.group(1);
    }
}
