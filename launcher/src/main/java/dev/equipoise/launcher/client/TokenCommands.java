package dev.equipoise.launcher.client;

import static dev.equipoise.launcher.client.ResourceColumn.field;
import static dev.equipoise.launcher.client.ResourceColumn.id;
import static dev.equipoise.launcher.client.ResourceColumn.time;

import dev.equipoise.launcher.ServiceApi;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands of the tokens of users and of service accounts. */
@Command(
        name = "tokens",
        description = "Lists, creates and revokes tokens of users and service accounts.",
        subcommands = {
            TokenCommands.Lists.class,
            TokenCommands.Create.class,
            TokenCommands.Revoke.class
        },
        mixinStandardHelpOptions = true)
final class TokenCommands {

    private static final ResourceTable TOKENS =
            ResourceTable.of(
                    id("id", "/id"),
                    field("name", "/name"),
                    field("role", "/role"),
                    id("project", "/project"),
                    time("created", "/createdAt"),
                    time("expires", "/expiresAt"),
                    time("used", "/usedAt"),
                    field("token", "/token"));

    @Command(
            name = "list",
            description = "Lists your tokens; all for administrators.",
            mixinStandardHelpOptions = true)
    static final class Lists implements Callable<Integer> {

        @Mixin private final ClientOptions client = new ClientOptions();

        @Mixin private final ListOptions options = new ListOptions();

        @Override
        public Integer call() {
            return client.call(
                    (api, output) -> options.write(api, new Query("tokens"), TOKENS, output));
        }
    }

    @Command(
            name = "create",
            description = "Creates a token and shows it, which the service does only now.",
            mixinStandardHelpOptions = true)
    static final class Create implements Callable<Integer> {

        @Mixin private final ClientOptions client = new ClientOptions();

        @Mixin private final Expiry expiry = new Expiry();

        @Option(
                names = "--project",
                paramLabel = "NAME|ID",
                description = "limit the token to this project")
        private @Nullable String project;

        @Option(
                names = "--role",
                paramLabel = "ROLE",
                description = "limit the token to the role viewer, editor, owner or administrator")
        private @Nullable String role;

        @Option(
                names = "--service-account",
                description =
                        "create a token of no user, which stays when you leave; for administrators")
        private boolean standsAlone;

        @Parameters(paramLabel = "NAME", description = "name of the token")
        private String name = "";

        @Override
        public Integer call() {
            return client.call((api, output) -> {
                output.single(TOKENS, api.post("tokens", wanted(api)));
                return ExitStatus.OK;
            });
        }

        private Map<String, Object> wanted(ServiceApi api) {
            Map<String, Object> wanted = new HashMap<>(Map.of("name", name));
            expiry.addTo(wanted);
            if (project != null) {
                wanted.put("project", new Finder(api).project(project));
            }
            if (role != null) {
                wanted.put("role", role);
            }
            if (standsAlone) {
                wanted.put("standsAlone", true);
            }
            return wanted;
        }
    }

    @Command(name = "revoke", description = "Revokes tokens.", mixinStandardHelpOptions = true)
    static final class Revoke implements Callable<Integer> {

        @Mixin private final ClientOptions client = new ClientOptions();

        @Parameters(
                arity = "1..*",
                paramLabel = "TOKEN",
                description =
                        "id or name of a token, or a unique beginning of the id; not its text")
        private List<String> tokens = new ArrayList<>();

        @Override
        public Integer call() {
            return client.call((api, output) -> {
                List<String> ids = tokens.stream().map(new Finder(api)::token).toList();
                BatchRequest.Results<String> revoked =
                        new BatchRequest(output).of(ids, id -> revoke(api, id));
                output.message("revoked " + BatchRequest.count(revoked.accepted().size(), "token"));
                return revoked.status();
            });
        }

        private static String revoke(ServiceApi api, String id) {
            api.delete("tokens/" + id);
            return id;
        }
    }
}
