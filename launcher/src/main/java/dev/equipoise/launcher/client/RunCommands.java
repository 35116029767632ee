package dev.equipoise.launcher.client;

import dev.equipoise.launcher.DashboardAddress;
import dev.equipoise.launcher.ServiceApi;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Commands of runs. */
@Command(
        name = "runs",
        description = "Lists, follows and changes runs of a service.",
        subcommands = {
            RunCommands.Lists.class,
            RunCommands.Get.class,
            RunWatch.class,
            RunLogs.class,
            RunCommands.Cancel.class,
            RunCommands.Rerun.class,
            RunModel.class,
            RunNotes.class,
            RunCommands.Delete.class
        },
        mixinStandardHelpOptions = true)
final class RunCommands {

    static final String RUN_LABEL = "RUN";
    static final String RUN_DESCRIPTION = "id of a run, or a unique beginning of it";

    @Command(
            name = "list",
            description = "Lists runs, the newest first.",
            mixinStandardHelpOptions = true)
    static final class Lists implements Callable<Integer> {

        @Mixin private final ClientOptions client = new ClientOptions();

        @Mixin private final ListOptions options = new ListOptions();

        @Option(names = "--project", paramLabel = "NAME|ID", description = "runs of this project")
        private @Nullable String project;

        @Option(
                names = "--experiment",
                paramLabel = "NAME|ID",
                description = "runs of this experiment")
        private @Nullable String experiment;

        @Option(
                names = "--state",
                paramLabel = "STATE",
                split = ",",
                description = "runs in these states, such as queued,running; repeatable")
        private List<String> states = new ArrayList<>();

        @Option(
                names = "--name",
                paramLabel = "TEXT",
                description = "runs whose experiment has this text in its name")
        private @Nullable String name;

        @Option(names = "--tag", paramLabel = "TAG", description = "runs with this tag")
        private @Nullable String tag;

        @Option(
                names = "--filter",
                paramLabel = "FILTER",
                description =
                        "runs that fulfill a condition, such as"
                                + " 'accuracy > 0.9 and synchronization = async'")
        private @Nullable String filter;

        @Option(
                names = "--sort",
                paramLabel = "FIELD",
                description =
                        "a field of filters, such as queuedAt, accuracy or batchSize, with a"
                                + " leading minus for descending order")
        private @Nullable String sort;

        @Override
        public Integer call() {
            return client.call((api, output) -> {
                var finder = new Finder(api);
                Query query =
                        new Query("runs")
                                .with("project", finder.projectOrNull(project))
                                .with("experiment", experimentId(finder))
                                .with("state", String.join(",", states).toUpperCase(Locale.ROOT))
                                .with("name", name)
                                .with("tag", tag)
                                .with("filter", filter)
                                .with("sort", sort);
                return options.write(api, query, RunTables.LIST, output);
            });
        }

        private @Nullable String experimentId(Finder finder) {
            return experiment == null ? null : finder.experiment(project, experiment);
        }
    }

    @Command(
            name = "get",
            description = "Shows a run; JSON and YAML have its configuration and all its figures.",
            mixinStandardHelpOptions = true)
    static final class Get implements Callable<Integer> {

        @Mixin private final ClientOptions client = new ClientOptions();

        @Parameters(paramLabel = RUN_LABEL, description = RUN_DESCRIPTION)
        private String run = "";

        @Override
        public Integer call() {
            return client.call((api, output) -> {
                JsonNode found = api.get("runs/" + new Finder(api).run(run));
                output.single(RunTables.ONE, found);
                output.message(
                        "dashboard: "
                                + DashboardAddress.ofRun(
                                        api.address(), found.path("id").asString("")));
                return ExitStatus.OK;
            });
        }
    }

    @Command(
            name = "cancel",
            description = "Cancels runs that have not ended.",
            mixinStandardHelpOptions = true)
    static final class Cancel implements Callable<Integer> {

        private static final RunSelection.Change CHANGE =
                new RunSelection.Change("runs/cancel", "Cancel", "", "canceled");

        @Mixin private final ClientOptions client = new ClientOptions();

        @Mixin private final Confirmation confirmation = new Confirmation();

        @Mixin private final RunSelection selection = new RunSelection();

        @Override
        public Integer call() {
            return client.call((api, output) ->
                    selection.change(
                            api, output, confirmation, CHANGE, ids -> each(api, output, ids)));
        }

        private static int each(ServiceApi api, Output output, List<String> ids) {
            BatchRequest.Results<JsonNode> canceled =
                    new BatchRequest(output)
                            .of(ids, id -> api.post("runs/%s/cancel".formatted(id), Map.of()));
            output.list(RunTables.LIST, canceled.accepted());
            output.message("canceled " + BatchRequest.count(canceled.accepted().size(), "run"));
            return canceled.status();
        }
    }

    @Command(
            name = "rerun",
            description = "Queues the configuration of each run as a new run.",
            mixinStandardHelpOptions = true)
    static final class Rerun implements Callable<Integer> {

        @Mixin private final ClientOptions client = new ClientOptions();

        @Parameters(arity = "1..*", paramLabel = RUN_LABEL, description = RUN_DESCRIPTION)
        private List<String> runs = new ArrayList<>();

        @Override
        public Integer call() {
            return client.call((api, output) -> {
                BatchRequest.Results<JsonNode> queued =
                        new BatchRequest(output)
                                .of(new Finder(api).runs(runs), id -> again(api, id));
                output.list(RunTables.LIST, queued.accepted());
                return queued.status();
            });
        }

        private static JsonNode again(ServiceApi api, String id) {
            return api.post("runs/%s/rerun".formatted(id), Map.of()).at("/items/0");
        }
    }

    @Command(
            name = "delete",
            description = "Deletes runs that have ended, with all their figures.",
            mixinStandardHelpOptions = true)
    static final class Delete implements Callable<Integer> {

        private static final RunSelection.Change CHANGE =
                new RunSelection.Change("runs/delete", "Delete", " with all figures", "deleted");

        @Mixin private final ClientOptions client = new ClientOptions();

        @Mixin private final Confirmation confirmation = new Confirmation();

        @Mixin private final RunSelection selection = new RunSelection();

        @Override
        public Integer call() {
            return client.call((api, output) ->
                    selection.change(
                            api, output, confirmation, CHANGE, ids -> each(api, output, ids)));
        }

        private static int each(ServiceApi api, Output output, List<String> ids) {
            BatchRequest.Results<String> deleted =
                    new BatchRequest(output).of(ids, id -> delete(api, id));
            output.message("deleted " + BatchRequest.count(deleted.accepted().size(), "run"));
            return deleted.status();
        }

        private static String delete(ServiceApi api, String id) {
            api.delete("runs/" + id);
            return id;
        }
    }
}
