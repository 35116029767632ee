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

/** Commands of the tokens with which agents join the lab. */
@Command(
        name = "join-tokens",
        description = "Lists, creates and revokes the tokens with which agents join the lab.",
        subcommands = {
            JoinTokenCommands.Lists.class,
            JoinTokenCommands.Create.class,
            JoinTokenCommands.Revoke.class
        },
        mixinStandardHelpOptions = true)
final class JoinTokenCommands {

    private static final ResourceTable TOKENS =
            ResourceTable.of(
                    id("id", "/id"),
                    field("name", "/name"),
                    field("uses", "/uses"),
                    field("admitted", "/admitted"),
                    time("created", "/createdAt"),
                    time("expires", "/expiresAt"),
                    time("used", "/usedAt"),
                    field("token", "/token"));

    @Command(
            name = "list",
            description = "Lists join tokens, also those that are used up or have expired.",
            mixinStandardHelpOptions = true)
    static final class Lists implements Callable<Integer> {

        @Mixin private final ClientOptions client = new ClientOptions();

        @Mixin private final ListOptions options = new ListOptions();

        @Override
        public Integer call() {
            return client.call(
                    (api, output) -> options.write(api, new Query("join-tokens"), TOKENS, output));
        }
    }

    @Command(
            name = "create",
            description = "Creates a join token and shows it, which the service does only now.",
            mixinStandardHelpOptions = true)
    static final class Create implements Callable<Integer> {

        @Mixin private final ClientOptions client = new ClientOptions();

        @Mixin private final Expiry expiry = new Expiry();

        @Option(
                names = "--uses",
                paramLabel = "N",
                description = "workers that the token may admit (default: 1)")
        private @Nullable Integer uses;

        @Parameters(
                arity = "0..1",
                paramLabel = "NAME",
                description = "name of the token, such as that of the machine")
        private @Nullable String name;

        @Override
        public Integer call() {
            Map<String, Object> wanted = new HashMap<>();
            expiry.addTo(wanted);
            if (name != null) {
                wanted.put("name", name);
            }
            if (uses != null) {
                wanted.put("uses", uses);
            }
            return client.call((api, output) -> {
                output.single(TOKENS, api.post("join-tokens", wanted));
                return ExitStatus.OK;
            });
        }
    }

    @Command(
            name = "revoke",
            description = "Revokes join tokens; the workers that they have admitted stay.",
            mixinStandardHelpOptions = true)
    static final class Revoke implements Callable<Integer> {

        @Mixin private final ClientOptions client = new ClientOptions();

        @Parameters(
                arity = "1..*",
                paramLabel = "TOKEN",
                description = "id or name of a join token, or a unique beginning of the id")
        private List<String> tokens = new ArrayList<>();

        @Override
        public Integer call() {
            return client.call((api, output) -> {
                List<String> ids = tokens.stream().map(new Finder(api)::joinToken).toList();
                BatchRequest.Results<String> revoked =
                        new BatchRequest(output).of(ids, id -> revoke(api, id));
                output.message(
                        "revoked " + BatchRequest.count(revoked.accepted().size(), "join token"));
                return revoked.status();
            });
        }

        private static String revoke(ServiceApi api, String id) {
            api.delete("join-tokens/" + id);
            return id;
        }
    }
}
