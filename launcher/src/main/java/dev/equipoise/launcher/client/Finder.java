package dev.equipoise.launcher.client;

import dev.equipoise.launcher.ResourceNames;
import dev.equipoise.launcher.ServiceApi;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Finds the resources that a command line names: by an id, by a beginning of an id that no other
 * one has, or by a name. Whole ids need no request, and each list is read once, however many of its
 * resources are named.
 */
final class Finder {

    private final ServiceApi api;
    private final Map<String, List<JsonNode>> lists = new HashMap<>();

    Finder(ServiceApi api) {
        this.api = api;
    }

    List<String> runs(List<String> named) {
        return named.stream().map(this::run).toList();
    }

    /** Returns the id of a run; runs have no names. */
    String run(String named) {
        return find("run", "runs", named);
    }

    String worker(String named) {
        return find("worker", "workers", named);
    }

    List<String> workers(List<String> named) {
        return named.stream().map(this::worker).toList();
    }

    String token(String named) {
        return find("token", "tokens", named);
    }

    String joinToken(String named) {
        return find("join token", "join-tokens", named);
    }

    String project(String named) {
        return find("project", "projects", named);
    }

    /**
     * Returns the id of a webhook.
     *
     * @param list path of the webhooks of its project (a single page)
     */
    String webhook(String list, String named) {
        return ResourceNames.isId(named)
                ? named.toLowerCase(Locale.ROOT)
                : ResourceNames.idOf(
                        "webhook",
                        named,
                        lists.computeIfAbsent(
                                list, it -> api.get(it).path("items").valueStream().toList()));
    }

    /**
     * Returns the id of a delivery; deliveries have no names.
     *
     * @param list path of the deliveries of its webhook
     */
    String delivery(String list, String named) {
        return find("delivery", list, named);
    }

    String user(String named) {
        return find("user", "users", named);
    }

    /** Returns the id of the project, or null if none is named. */
    @Nullable String projectOrNull(@Nullable String named) {
        return named == null ? null : project(named);
    }

    /** Returns the id of an experiment of the named project, or of any if none is named. */
    String experiment(@Nullable String project, String named) {
        return ResourceNames.isId(named)
                ? named.toLowerCase(Locale.ROOT)
                : ResourceNames.idOf("experiment", named, experiments(project));
    }

    /** Returns the experiments of the named project, or of all if none is named. */
    List<JsonNode> experiments(@Nullable String project) {
        List<String> projects =
                project == null
                        ? all("projects").stream().map(it -> it.path("id").asString("")).toList()
                        : List.of(project(project));
        return projects.stream()
                .flatMap(it -> all("projects/%s/experiments".formatted(it)).stream())
                .toList();
    }

    private String find(String kind, String list, String named) {
        return ResourceNames.isId(named)
                ? named.toLowerCase(Locale.ROOT)
                : ResourceNames.idOf(kind, named, all(list));
    }

    private List<JsonNode> all(String list) {
        return lists.computeIfAbsent(list, it -> api.list(it, Integer.MAX_VALUE).items());
    }
}
