package dev.equipoise.launcher.client;

import static dev.equipoise.launcher.client.ResourceColumn.field;
import static dev.equipoise.launcher.client.ResourceColumn.id;
import static dev.equipoise.launcher.client.ResourceColumn.sentence;
import static java.util.stream.Collectors.joining;

import dev.equipoise.launcher.ServiceApi;
import dev.equipoise.launcher.UsageError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** The runs that a command changes: those that it names, or those that fulfill a filter. */
final class RunSelection {

    /** Limit of the runs that the service changes in one request. */
    private static final int MAX_RUNS = 1000;

    /** Runs that a question names. */
    private static final int NAMED = 3;

    private static final ResourceTable OUTCOMES =
            ResourceTable.of(
                    id("id", "/id"),
                    field("done", "/done"),
                    field("code", "/code"),
                    sentence("reason", it -> ResourceColumn.text(it.path("detail"))));

    @Parameters(
            arity = "0..*",
            paramLabel = RunCommands.RUN_LABEL,
            description = RunCommands.RUN_DESCRIPTION)
    private List<String> runs = new ArrayList<>();

    @Option(
            names = "--filter",
            paramLabel = "FILTER",
            description =
                    "runs that fulfill a condition instead of named ones, at most 1000, such as"
                            + " 'accuracy < 0.5 and state = completed'; needs --yes in a script")
    private @Nullable String filter;

    /**
     * Change of the selected runs.
     *
     * @param path of the request that changes several runs
     * @param question verb that begins the question
     * @param loss what the question says of the runs; may be empty
     * @param past verb of the message
     */
    record Change(String path, String question, String loss, String past) {}

    /** Changes the runs of the filter, or lets a function change those that are named. */
    int change(
            ServiceApi api,
            Output output,
            Confirmation confirmation,
            Change change,
            ToIntFunction<List<String>> named) {
        if (runs.isEmpty() == (filter == null)) {
            throw new UsageError("name runs or write --filter, and not both");
        }
        if (filter != null) {
            return changeFiltered(api, output, confirmation, change, filter);
        }
        List<String> ids = new Finder(api).runs(runs);
        confirmation.require(
                "%s %s%s?"
                        .formatted(
                                change.question(),
                                BatchRequest.count(ids.size(), "run"),
                                change.loss()));
        return named.applyAsInt(ids);
    }

    private static int changeFiltered(
            ServiceApi api,
            Output output,
            Confirmation confirmation,
            Change change,
            String condition) {
        List<JsonNode> found = find(api, condition);
        if (found.isEmpty()) {
            output.message("no run fulfills the filter");
            return ExitStatus.OK;
        }
        confirmation.requireAnswer(
                "%s %s%s: %s?"
                        .formatted(
                                change.question(),
                                BatchRequest.count(found.size(), "run"),
                                change.loss(),
                                names(found)));
        JsonNode answer =
                api.post(change.path(), Map.of("filter", condition, "expectedCount", found.size()));
        output.list(OUTCOMES, answer.path("items").valueStream().toList());
        int done = answer.path("done").asInt(0);
        output.message(change.past() + " " + BatchRequest.count(done, "run"));
        return done == found.size() ? ExitStatus.OK : ExitStatus.FAILED;
    }

    private static List<JsonNode> find(ServiceApi api, String condition) {
        String path = new Query("runs").with("filter", condition).toString();
        List<JsonNode> found = api.list(path, MAX_RUNS + 1).items();
        if (found.size() > MAX_RUNS) {
            throw new UsageError(
                    "the filter fits more than %d runs: narrow it".formatted(MAX_RUNS));
        }
        return found;
    }

    private static String names(List<JsonNode> found) {
        String first = found.stream().limit(NAMED).map(RunTables::name).collect(joining(", "));
        return found.size() <= NAMED
                ? first
                : "%s and %d more".formatted(first, found.size() - NAMED);
    }
}
