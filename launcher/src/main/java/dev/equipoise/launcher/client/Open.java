package dev.equipoise.launcher.client;

import dev.equipoise.launcher.DashboardAddress;
import dev.equipoise.launcher.ServiceApi;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Makes a link that signs a browser in to the dashboard. */
@Command(
        name = "open",
        description = {
            "Prints a link that opens the dashboard and signs one browser in, once and within an"
                    + " hour, with the rights of the token.",
            "Whoever has the link can use it first, so give it to nobody."
        },
        mixinStandardHelpOptions = true)
final class Open implements Callable<Integer> {

    @Mixin private final ClientOptions client = new ClientOptions();

    @Override
    public Integer call() {
        return client.call((api, output) -> {
            write(api, output);
            return ExitStatus.OK;
        });
    }

    private static void write(ServiceApi api, Output output) {
        JsonNode made = api.post("sign-in-links", Map.of());
        String url = DashboardAddress.ofSignIn(api.address(), made.path("code").asString());
        switch (output.format()) {
            case TABLE, CSV -> output.print(url + "\n");
            case JSON, YAML ->
                    output.tree(
                            JsonMapper.shared()
                                    .createObjectNode()
                                    .put("url", url)
                                    .set("expiresAt", made.path("expiresAt")));
        }
    }
}
