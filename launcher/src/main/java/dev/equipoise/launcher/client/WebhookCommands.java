package dev.equipoise.launcher.client;

import static dev.equipoise.launcher.client.ResourceColumn.field;
import static dev.equipoise.launcher.client.ResourceColumn.id;
import static dev.equipoise.launcher.client.ResourceColumn.sentence;
import static dev.equipoise.launcher.client.ResourceColumn.time;

import dev.equipoise.launcher.ServiceApi;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Commands of the webhooks of projects. */
@Command(
        name = "webhooks",
        description = "Lists, creates, changes and deletes the webhooks of a project; for owners.",
        subcommands = {
            WebhookCommands.Lists.class,
            WebhookCommands.Create.class,
            WebhookCommands.Ping.class,
            WebhookCommands.Deliveries.class,
            WebhookCommands.Resend.class,
            WebhookCommands.Enable.class,
            WebhookCommands.Disable.class,
            WebhookCommands.Delete.class
        },
        mixinStandardHelpOptions = true)
final class WebhookCommands {

    private static final String PROJECT_LABEL = "PROJECT";
    private static final String PROJECT_DESCRIPTION = "name or id of the project";
    private static final String WEBHOOK_LABEL = "WEBHOOK";
    private static final String WEBHOOK_DESCRIPTION =
            "id or name of a webhook, or a unique beginning of the id";

    private static final ResourceTable WEBHOOKS =
            ResourceTable.of(
                    id("id", "/id"),
                    field("name", "/name"),
                    field("enabled", "/enabled"),
                    ResourceColumn.computed("events", WebhookCommands::events),
                    field("failures", "/failures"),
                    sentence("url", WebhookCommands::url),
                    sentence("disabled", WebhookCommands::disabledReason),
                    field("secret", "/secret"));

    private static final ResourceTable DELIVERIES =
            ResourceTable.of(
                    id("id", "/id"),
                    field("type", "/type"),
                    field("state", "/state"),
                    time("created", "/createdAt"),
                    field("attempts", "/attempts"),
                    field("status", "/status"),
                    time("next", "/dueAt"),
                    sentence("error", WebhookCommands::error));

    private static String events(JsonNode webhook) {
        return String.join(
                " ", webhook.path("events").valueStream().map(it -> it.asString("")).toList());
    }

    private static String url(JsonNode webhook) {
        return ResourceColumn.text(webhook.path("url"));
    }

    private static String disabledReason(JsonNode webhook) {
        return ResourceColumn.text(webhook.path("disabledReason"));
    }

    private static String error(JsonNode delivery) {
        return ResourceColumn.text(delivery.path("error"));
    }

    /** Options and parameters of the commands that name a project. */
    abstract static class OfProject implements Callable<Integer> {

        @Mixin private final ClientOptions client = new ClientOptions();

        @Parameters(index = "0", paramLabel = PROJECT_LABEL, description = PROJECT_DESCRIPTION)
        private String project = "";

        /** Does what the command is for, with the path of the webhooks of the project. */
        abstract int call(ServiceApi api, Output output, String path);

        @Override
        public Integer call() {
            return client.call((api, output) -> {
                String id = new Finder(api).project(project);
                return call(api, output, "projects/%s/webhooks".formatted(id));
            });
        }
    }

    /** Parameters of the commands that name one webhook. */
    abstract static class OfWebhook extends OfProject {

        @Parameters(index = "1", paramLabel = WEBHOOK_LABEL, description = WEBHOOK_DESCRIPTION)
        private String webhook = "";

        /** Does what the command is for, with the path of the webhook. */
        abstract int callOne(ServiceApi api, Output output, String path);

        @Override
        int call(ServiceApi api, Output output, String path) {
            return callOne(api, output, path + "/" + new Finder(api).webhook(path, webhook));
        }
    }

    @Command(
            name = "list",
            description = "Lists the webhooks of a project, without their secrets.",
            mixinStandardHelpOptions = true)
    static final class Lists extends OfProject {

        @Override
        int call(ServiceApi api, Output output, String path) {
            output.list(WEBHOOKS, api.get(path).path("items").valueStream().toList());
            return ExitStatus.OK;
        }
    }

    @Command(
            name = "create",
            description =
                    "Creates a webhook and shows its secret, which the service does only now.",
            mixinStandardHelpOptions = true)
    static final class Create extends OfProject {

        @Option(
                names = "--event",
                paramLabel = "EVENT",
                description = "run.ended (default) or worker.lost; repeatable")
        private List<String> events = new ArrayList<>();

        @Parameters(index = "1", paramLabel = "NAME", description = "name of the webhook")
        private String name = "";

        @Parameters(
                index = "2",
                paramLabel = "URL",
                description = "https or http, with a public address")
        private String url = "";

        @Override
        int call(ServiceApi api, Output output, String path) {
            Map<String, Object> wanted =
                    Map.of(
                            "name",
                            name,
                            "url",
                            url,
                            "events",
                            events.isEmpty() ? List.of("run.ended") : events);
            output.single(WEBHOOKS, api.post(path, wanted));
            return ExitStatus.OK;
        }
    }

    @Command(
            name = "ping",
            description = "Queues a delivery that tries a webhook.",
            mixinStandardHelpOptions = true)
    static final class Ping extends OfWebhook {

        @Override
        int callOne(ServiceApi api, Output output, String path) {
            output.single(DELIVERIES, api.post(path + "/ping", Map.of()));
            return ExitStatus.OK;
        }
    }

    @Command(
            name = "deliveries",
            description = "Lists the deliveries of a webhook, the newest first.",
            mixinStandardHelpOptions = true)
    static final class Deliveries extends OfWebhook {

        @Mixin private final ListOptions options = new ListOptions();

        @Override
        int callOne(ServiceApi api, Output output, String path) {
            return options.write(api, new Query(path + "/deliveries"), DELIVERIES, output);
        }
    }

    @Command(
            name = "resend",
            description = "Queues a delivery again, whatever its state is.",
            mixinStandardHelpOptions = true)
    static final class Resend extends OfWebhook {

        @Parameters(
                index = "2",
                paramLabel = "DELIVERY",
                description = "id of a delivery, or a unique beginning of it")
        private String delivery = "";

        @Override
        int callOne(ServiceApi api, Output output, String path) {
            String list = path + "/deliveries";
            String again = new Finder(api).delivery(list, delivery);
            output.single(DELIVERIES, api.post("%s/%s/resend".formatted(list, again), Map.of()));
            return ExitStatus.OK;
        }
    }

    @Command(
            name = "enable",
            description = "Enables a webhook, also one that the service has disabled.",
            mixinStandardHelpOptions = true)
    static final class Enable extends OfWebhook {

        @Override
        int callOne(ServiceApi api, Output output, String path) {
            output.single(WEBHOOKS, api.patch(path, Map.of("enabled", true)));
            return ExitStatus.OK;
        }
    }

    @Command(
            name = "disable",
            description = "Disables a webhook: it gets no events until it is enabled.",
            mixinStandardHelpOptions = true)
    static final class Disable extends OfWebhook {

        @Override
        int callOne(ServiceApi api, Output output, String path) {
            output.single(WEBHOOKS, api.patch(path, Map.of("enabled", false)));
            return ExitStatus.OK;
        }
    }

    @Command(
            name = "delete",
            description = "Deletes webhooks with their deliveries.",
            mixinStandardHelpOptions = true)
    static final class Delete extends OfProject {

        @Mixin private final Confirmation confirmation = new Confirmation();

        @Parameters(
                index = "1..*",
                arity = "1..*",
                paramLabel = WEBHOOK_LABEL,
                description = WEBHOOK_DESCRIPTION)
        private List<String> webhooks = new ArrayList<>();

        @Override
        int call(ServiceApi api, Output output, String path) {
            var finder = new Finder(api);
            List<String> ids = webhooks.stream().map(it -> finder.webhook(path, it)).toList();
            confirmation.require("Delete %s?".formatted(BatchRequest.count(ids.size(), "webhook")));
            Function<String, String> delete =
                    id -> {
                        api.delete(path + "/" + id);
                        return id;
                    };
            BatchRequest.Results<String> deleted = new BatchRequest(output).of(ids, delete);
            output.message("deleted " + BatchRequest.count(deleted.accepted().size(), "webhook"));
            return deleted.status();
        }
    }
}
