package dev.equipoise.launcher.client;

import static dev.equipoise.launcher.client.ResourceColumn.field;
import static dev.equipoise.launcher.client.ResourceColumn.id;
import static dev.equipoise.launcher.client.ResourceColumn.time;

import dev.equipoise.launcher.ResourceNames;
import dev.equipoise.launcher.ServiceApi;
import dev.equipoise.launcher.UsageError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Commands of projects. */
@Command(
        name = "projects",
        description = "Lists, creates and deletes projects, and manages their members.",
        subcommands = {
            ProjectCommands.Lists.class,
            ProjectCommands.Create.class,
            ProjectCommands.Members.class,
            ProjectCommands.Delete.class
        },
        mixinStandardHelpOptions = true)
final class ProjectCommands {

    private static final ResourceTable PROJECTS =
            ResourceTable.of(
                    id("id", "/id"),
                    field("name", "/name"),
                    field("role", "/role"),
                    time("created", "/createdAt"));

    private static final ResourceTable MEMBERS =
            ResourceTable.of(
                    id("user", "/user"),
                    field("name", "/name"),
                    field("role", "/role"),
                    time("since", "/since"));

    @Command(
            name = "list",
            description = "Lists the projects that you may see, with your role in each.",
            mixinStandardHelpOptions = true)
    static final class Lists implements Callable<Integer> {

        @Mixin private final ClientOptions client = new ClientOptions();

        @Mixin private final ListOptions options = new ListOptions();

        @Override
        public Integer call() {
            return client.call(
                    (api, output) -> options.write(api, new Query("projects"), PROJECTS, output));
        }
    }

    @Command(
            name = "create",
            description = "Creates a project; for administrators.",
            mixinStandardHelpOptions = true)
    static final class Create implements Callable<Integer> {

        @Mixin private final ClientOptions client = new ClientOptions();

        @Parameters(paramLabel = "NAME", description = "name of the project")
        private String name = "";

        @Override
        public Integer call() {
            return client.call((api, output) -> {
                output.single(PROJECTS, api.post("projects", Map.of("name", name)));
                return ExitStatus.OK;
            });
        }
    }

    @Command(
            name = "members",
            description = "Lists the members of a project, after the changes that are asked for.",
            mixinStandardHelpOptions = true)
    static final class Members implements Callable<Integer> {

        @Mixin private final ClientOptions client = new ClientOptions();

        @Option(
                names = "--add",
                paramLabel = "USER=ROLE",
                description =
                        "give a user the role viewer, editor or owner; for owners; repeatable")
        private Map<String, String> added = new LinkedHashMap<>();

        @Option(
                names = "--remove",
                paramLabel = "USER",
                description = "take a user's role away; for owners; repeatable")
        private List<String> removed = new ArrayList<>();

        @Parameters(
                paramLabel = "PROJECT",
                description = "name or id of the project; a user is named likewise")
        private String project = "";

        @Override
        public Integer call() {
            return client.call((api, output) -> {
                Finder finder = new Finder(api);
                String path = "projects/%s/members".formatted(finder.project(project));
                added.forEach((user, role) ->
                        api.put(path + "/" + user(api, finder, path, user), Map.of("role", role)));
                removed.forEach(user -> api.delete(path + "/" + user(api, finder, path, user)));
                output.list(MEMBERS, items(api, path));
                return ExitStatus.OK;
            });
        }

        /** Returns the id of a user; only administrators may look up users that are no members. */
        private static String user(ServiceApi api, Finder finder, String members, String named) {
            if (ResourceNames.isId(named)) {
                return named;
            }
            return items(api, members).stream()
                    .filter(it -> it.path("name").asString("").equals(named))
                    .map(it -> it.path("user").asString(""))
                    .findFirst()
                    .orElseGet(() -> userOfLab(api, finder, named));
        }

        private static String userOfLab(ServiceApi api, Finder finder, String named) {
            if (!api.get("me").path("administrator").asBoolean(false)) {
                throw new UsageError(
                        "%s is no member, and only administrators may look up other users: write"
                                        .formatted(named)
                                + " the id of the user, which 'GET /api/v1/me' tells the user");
            }
            return finder.user(named);
        }

        private static List<JsonNode> items(ServiceApi api, String path) {
            return api.get(path).path("items").valueStream().toList();
        }
    }

    @Command(
            name = "delete",
            description =
                    "Deletes a project, with its members and tokens; for owners. A project with"
                            + " runs that have not ended stays.",
            mixinStandardHelpOptions = true)
    static final class Delete implements Callable<Integer> {

        @Mixin private final ClientOptions client = new ClientOptions();

        @Mixin private final Confirmation confirmation = new Confirmation();

        @Option(
                names = "--everything",
                description =
                        "also delete its experiments and runs, with figures and models; without"
                                + " this option the project must be empty. Needs --yes in a script")
        private boolean everything;

        @Parameters(paramLabel = "PROJECT", description = "name or id of the project")
        private String project = "";

        @Override
        public Integer call() {
            return client.call((api, output) -> {
                String path = "projects/" + new Finder(api).project(project);
                String name = api.get(path).path("name").asString("");
                confirm(name);
                api.delete(
                        new Query(path)
                                .with("everything", everything ? "true" : null)
                                .with("name", everything ? name : null)
                                .toString());
                output.message("deleted project " + name);
                return ExitStatus.OK;
            });
        }

        private void confirm(String name) {
            if (everything) {
                confirmation.requireAnswer(
                        "Delete project %s with all experiments, runs, figures and models?"
                                .formatted(name));
            } else {
                confirmation.require("Delete project %s?".formatted(name));
            }
        }
    }
}
