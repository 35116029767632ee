package dev.equipoise.launcher.client;

import static dev.equipoise.launcher.client.ResourceColumn.computed;
import static dev.equipoise.launcher.client.ResourceColumn.field;
import static dev.equipoise.launcher.client.ResourceColumn.id;
import static dev.equipoise.launcher.client.ResourceColumn.time;
import static java.util.stream.Collectors.joining;

import dev.equipoise.launcher.ServiceApi;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Commands of workers. */
@Command(
        name = "workers",
        description = "Lists workers, and takes them out of and back into the lab.",
        subcommands = {WorkerCommands.Lists.class, WorkerCommands.Get.class},
        mixinStandardHelpOptions = true)
final class WorkerCommands {

    private static final String DESCRIPTION =
            "name or id of a worker, or a unique beginning of the id";

    private static final ResourceTable WORKERS =
            ResourceTable.of(
                    id("id", "/id"),
                    field("name", "/name"),
                    field("state", "/state"),
                    field("cordon", "/cordon"),
                    field("host", "/host/name"),
                    field("cores", "/host/processors"),
                    field("load", "/load"),
                    field("backend", "/host/backend"),
                    computed("labels", WorkerCommands::labels),
                    field("version", "/agentVersion"),
                    time("last seen", "/lastSeenAt"));

    private static String labels(JsonNode worker) {
        return worker.path("labels")
                .propertyStream()
                .map(it -> it.getKey() + "=" + it.getValue().asString(""))
                .collect(joining(" "));
    }

    @Command(name = "list", description = "Lists workers.", mixinStandardHelpOptions = true)
    static final class Lists implements Callable<Integer> {

        @Mixin private final ClientOptions client = new ClientOptions();

        @Mixin private final ListOptions options = new ListOptions();

        @Option(
                names = "--state",
                paramLabel = "STATE",
                split = ",",
                description = "workers in these states, such as idle,busy; repeatable")
        private List<String> states = new ArrayList<>();

        @Override
        public Integer call() {
            Query query =
                    new Query("workers")
                            .with("state", String.join(",", states).toUpperCase(Locale.ROOT));
            return client.call((api, output) -> options.write(api, query, WORKERS, output));
        }
    }

    @Command(
            name = "get",
            description = "Shows a worker; JSON and YAML have all its fields.",
            mixinStandardHelpOptions = true)
    static final class Get implements Callable<Integer> {

        @Mixin private final ClientOptions client = new ClientOptions();

        @Parameters(paramLabel = "WORKER", description = DESCRIPTION)
        private String worker = "";

        @Override
        public Integer call() {
            return client.call((api, output) -> {
                output.single(WORKERS, api.get("workers/" + new Finder(api).worker(worker)));
                return ExitStatus.OK;
            });
        }
    }

    @Command(
            name = "cordon",
            description = "Keeps new work away from workers; their current work continues.",
            mixinStandardHelpOptions = true)
    int cordon(
            @Mixin ClientOptions client,
            @Parameters(arity = "1..*", paramLabel = "WORKER", description = DESCRIPTION)
                    List<String> workers) {
        return change("cordon", client, workers);
    }

    @Command(
            name = "uncordon",
            description = "Lets workers take work again.",
            mixinStandardHelpOptions = true)
    int uncordon(
            @Mixin ClientOptions client,
            @Parameters(arity = "1..*", paramLabel = "WORKER", description = DESCRIPTION)
                    List<String> workers) {
        return change("uncordon", client, workers);
    }

    @Command(
            name = "drain",
            description = "Lets workers finish their work and leave.",
            mixinStandardHelpOptions = true)
    int drain(
            @Mixin ClientOptions client,
            @Parameters(arity = "1..*", paramLabel = "WORKER", description = DESCRIPTION)
                    List<String> workers) {
        return change("drain", client, workers);
    }

    @Command(
            name = "expel",
            description = "Revokes the credentials of workers; their work ends at once.",
            mixinStandardHelpOptions = true)
    int expel(
            @Mixin ClientOptions client,
            @Mixin Confirmation confirmation,
            @Parameters(arity = "1..*", paramLabel = "WORKER", description = DESCRIPTION)
                    List<String> workers) {
        confirmation.require("Expel %s?".formatted(BatchRequest.count(workers.size(), "worker")));
        return change("expel", client, workers);
    }

    @Command(
            name = "delete",
            description = "Removes workers that are lost or have left; their past runs stay.",
            mixinStandardHelpOptions = true)
    int delete(
            @Mixin ClientOptions client,
            @Mixin Confirmation confirmation,
            @Parameters(arity = "1..*", paramLabel = "WORKER", description = DESCRIPTION)
                    List<String> workers) {
        return client.call((api, output) -> {
            List<String> ids = new Finder(api).workers(workers);
            confirmation.require("Delete %s?".formatted(BatchRequest.count(ids.size(), "worker")));
            BatchRequest.Results<String> deleted =
                    new BatchRequest(output).of(ids, id -> delete(api, id));
            output.message("deleted " + BatchRequest.count(deleted.accepted().size(), "worker"));
            return deleted.status();
        });
    }

    private static String delete(ServiceApi api, String id) {
        api.delete("workers/" + id);
        return id;
    }

    private static int change(String verb, ClientOptions client, List<String> workers) {
        return client.call((api, output) -> {
            List<String> ids = new Finder(api).workers(workers);
            BatchRequest.Results<JsonNode> changed =
                    new BatchRequest(output)
                            .of(ids, id -> api.post("workers/%s/%s".formatted(id, verb), Map.of()));
            output.list(WORKERS, changed.accepted());
            return changed.status();
        });
    }
}
