package dev.equipoise.launcher;

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
     * runs. An administrator, who may do so in all projects, has the project {@code run} if there
     * are several; it is created in a lab without projects.
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
        return own.size() == 1 ? own.getFirst().path("id").asString("") : usual(api, own);
    }

    private static String usual(ServiceApi api, List<JsonNode> own) {
        boolean hasUsual = own.isEmpty() || names(own).contains(USUAL);
        if (hasUsual && api.get("me").path("administrator").asBoolean(false)) {
            return api.project(USUAL);
        }
        if (own.isEmpty()) {
            throw new LabFailure(
                    "you may queue runs in no project: ask an owner of a project, or an"
                            + " administrator, for the role editor");
        }
        throw new UsageError(
                "you have several projects: add --project with one of "
                        + String.join(", ", names(own)));
    }

    /** Returns the projects that the caller may see. */
    private static List<JsonNode> visible(ServiceApi api) {
        return api.list("projects", Integer.MAX_VALUE).items();
    }

    private static boolean mayQueue(JsonNode project) {
        return !project.path("role").asString("").equals("viewer");
    }

    private static List<String> names(List<JsonNode> projects) {
        return projects.stream().map(it -> it.path("name").asString("")).toList();
    }
}
