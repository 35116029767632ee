package dev.equipoise.launcher;

import static java.util.stream.Collectors.joining;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Chooses the project of a service in which a command queues runs. */
public final class ProjectChoice {

    /** Project of labs whose user has created none. */
    static final String USUAL = "run";

    private ProjectChoice() {}

    /**
     * Returns the id of the project: the named one, or the only one in which the caller may queue
     * runs. For an administrator of a lab without projects it is created.
     *
     * @param named name or id of the project; null for the only one
     * @throws UsageError if the caller has several projects and names none
     * @throws LabFailure if there is no such project, or the caller may queue runs in none
     */
    public static String of(ServiceApi api, @Nullable String named) {
        List<JsonNode> projects = visible(api);
        if (named != null) {
            return ResourceNames.idOf("project", named, projects);
        }
        List<JsonNode> own = projects.stream().filter(ProjectChoice::mayQueue).toList();
        if (own.size() > 1) {
            throw new UsageError(
                    "you have several projects: add --project with one of %s"
                            .formatted(names(own)));
        }
        return own.isEmpty() ? first(api) : own.getFirst().path("id").asString("");
    }

    /** Returns the projects that the caller may see. */
    public static List<JsonNode> visible(ServiceApi api) {
        return api.list("projects", Integer.MAX_VALUE).items();
    }

    private static boolean mayQueue(JsonNode project) {
        return !project.path("role").asString("").equals("viewer");
    }

    private static String names(List<JsonNode> projects) {
        return projects.stream().map(it -> it.path("name").asString("")).collect(joining(", "));
    }

    private static String first(ServiceApi api) {
        if (!api.get("me").path("administrator").asBoolean(false)) {
            throw new LabFailure(
                    "you may queue runs in no project: ask an owner of a project, or an"
                            + " administrator, for the role editor");
        }
        return api.project(USUAL);
    }
}
