package dev.equipoise.launcher.client;

import static dev.equipoise.launcher.client.ResourceColumn.field;
import static dev.equipoise.launcher.client.ResourceColumn.id;
import static dev.equipoise.launcher.client.ResourceColumn.time;

import dev.equipoise.launcher.LabFailure;
import dev.equipoise.launcher.ProjectChoice;
import dev.equipoise.launcher.ServiceApi;
import dev.equipoise.launcher.Source;
import dev.equipoise.launcher.SourceOptions;
import dev.equipoise.launcher.Submission;
import dev.equipoise.launcher.UsageError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Commands of experiments. */
@Command(
        name = "experiments",
        description = "Lists, shows and submits experiments, and writes their notes.",
        subcommands = {
            ExperimentCommands.Lists.class,
            ExperimentCommands.Get.class,
            ExperimentCommands.Submit.class,
            ExperimentCommands.Notes.class
        },
        mixinStandardHelpOptions = true)
final class ExperimentCommands {

    private static final String EXPERIMENT_LABEL = "EXPERIMENT";
    private static final String EXPERIMENT_DESCRIPTION =
            "name or id of the experiment, or a unique beginning of the id";

    private static final ResourceTable LIST =
            ResourceTable.of(
                    id("id", "/id"),
                    field("name", "/name"),
                    field("version", "/version"),
                    field("runs", "/configurationCount"),
                    id("project", "/project"),
                    time("created", "/createdAt"));

    private static final ResourceTable ONE =
            ResourceTable.of(
                    id("id", "/id"),
                    field("name", "/name"),
                    field("version", "/version"),
                    field("project", "/project"),
                    field("priority", "/priority"),
                    time("created", "/createdAt"),
                    time("defined", "/definedAt"),
                    field("notes", "/notes/text"),
                    field("definition", "/definition"));

    @Command(
            name = "list",
            description = "Lists the experiments of a project, or of all that you may see.",
            mixinStandardHelpOptions = true)
    static final class Lists implements Callable<Integer> {

        @Mixin private final ClientOptions client = new ClientOptions();

        @Mixin private final ListOptions options = new ListOptions();

        @Option(names = "--project", paramLabel = "NAME|ID", description = "of this project alone")
        private @Nullable String project;

        @Override
        public Integer call() {
            return client.call((api, output) -> {
                var finder = new Finder(api);
                if (project == null) {
                    return options.write(finder.experiments(null), LIST, output);
                }
                String path = "projects/%s/experiments".formatted(finder.project(project));
                return options.write(api, new Query(path), LIST, output);
            });
        }
    }

    @Command(
            name = "get",
            description = "Shows an experiment and its definition.",
            mixinStandardHelpOptions = true)
    static final class Get implements Callable<Integer> {

        @Mixin private final ClientOptions client = new ClientOptions();

        @Option(names = "--project", paramLabel = "NAME|ID", description = "its project")
        private @Nullable String project;

        @Option(
                names = "--version-number",
                paramLabel = "N",
                description = "an earlier version (default: the newest)")
        private @Nullable Integer version;

        @Parameters(paramLabel = EXPERIMENT_LABEL, description = EXPERIMENT_DESCRIPTION)
        private String experiment = "";

        @Override
        public Integer call() {
            return client.call((api, output) -> {
                String id = new Finder(api).experiment(project, experiment);
                Query query =
                        new Query("experiments/" + id)
                                .with("version", version == null ? null : version.toString());
                output.single(ONE, api.get(query.toString()));
                return ExitStatus.OK;
            });
        }
    }

    @Command(
            name = "notes",
            description =
                    "Prints the notes of an experiment, in Markdown, or writes or deletes them.",
            mixinStandardHelpOptions = true)
    static final class Notes extends NotesCommand {

        @Option(names = "--project", paramLabel = "NAME|ID", description = "its project")
        private @Nullable String project;

        @Parameters(paramLabel = EXPERIMENT_LABEL, description = EXPERIMENT_DESCRIPTION)
        private String experiment = "";

        @Override
        Noted noted(Finder finder) {
            return new Noted("experiment", finder.experiment(project, experiment));
        }
    }

    @Command(
            name = "submit",
            description =
                    "Stores the experiments of a definition or a preset, and queues their runs.",
            mixinStandardHelpOptions = true)
    static final class Submit implements Callable<Integer> {

        @Mixin private final ClientOptions client = new ClientOptions();

        @Mixin private final SourceOptions sourceOptions = new SourceOptions();

        @Option(
                names = "--project",
                paramLabel = "NAME|ID",
                description = "project of the experiments (default: your only one)")
        private @Nullable String project;

        @Override
        public Integer call() {
            Source source = sourceOptions.source();
            Optional<ServiceApi.Document> file = source.fromFile();
            return client.call((api, output) -> {
                List<ServiceApi.Document> definitions =
                        file.map(List::of).orElseGet(() -> source.fromPreset(api));
                int expected = Submission.check(api, definitions).size();
                String chosen = ProjectChoice.of(api, project);
                List<JsonNode> queued = new ArrayList<>();
                try {
                    definitions.forEach(it -> queue(api, chosen, it).forEach(queued::add));
                } catch (LabFailure | UsageError failure) {
                    if (!queued.isEmpty()) {
                        write(queued, expected, output);
                    }
                    throw failure;
                }
                write(queued, expected, output);
                return ExitStatus.OK;
            });
        }

        /** Lists the queued runs, also if the service rejects the next definition. */
        private static void write(List<JsonNode> queued, int expected, Output output) {
            output.list(RunTables.LIST, queued);
            output.message(
                    "queued %d of %s"
                            .formatted(queued.size(), BatchRequest.count(expected, "run")));
        }

        private static Stream<JsonNode> queue(
                ServiceApi api, String project, ServiceApi.Document definition) {
            String experiment =
                    api.post("projects/%s/experiments".formatted(project), definition)
                            .path("id")
                            .asString("");
            String path = "experiments/%s/runs".formatted(experiment);
            return Submission.ofDefinition(() -> api.post(path, Map.of()))
                    .path("items")
                    .valueStream();
        }
    }
}
