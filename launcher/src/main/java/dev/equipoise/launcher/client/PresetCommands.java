package dev.equipoise.launcher.client;

import static dev.equipoise.launcher.client.ResourceColumn.computed;
import static dev.equipoise.launcher.client.ResourceColumn.field;
import static java.util.stream.Collectors.joining;

import dev.equipoise.launcher.ServiceApi;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Commands of presets. */
@Command(
        name = "presets",
        description = "Lists and shows the experiments that come with the service.",
        subcommands = {PresetCommands.Lists.class, PresetCommands.Get.class},
        mixinStandardHelpOptions = true)
final class PresetCommands {

    private static final ResourceTable PRESETS =
            ResourceTable.of(
                    field("name", "/name"),
                    field("title", "/title"),
                    computed("scales", PresetCommands::scales),
                    field("paper", "/paper"));

    private static final ResourceTable DEFINITIONS =
            ResourceTable.of(
                    field("name", "/name"),
                    field("scale", "/scale"),
                    field("definitions", "/definitions"));

    private static String scales(JsonNode preset) {
        return preset.path("scales").propertyNames().stream().collect(joining(" "));
    }

    @Command(name = "list", description = "Lists presets.", mixinStandardHelpOptions = true)
    static final class Lists implements Callable<Integer> {

        @Mixin private final ClientOptions client = new ClientOptions();

        @Override
        public Integer call() {
            return client.call((api, output) -> {
                output.list(PRESETS, api.get("presets").path("items").valueStream().toList());
                return ExitStatus.OK;
            });
        }
    }

    @Command(
            name = "get",
            description = "Shows the definitions of a preset.",
            mixinStandardHelpOptions = true)
    static final class Get implements Callable<Integer> {

        @Mixin private final ClientOptions client = new ClientOptions();

        @Option(
                names = "--scale",
                paramLabel = "S",
                description = "scale of the preset (default: its usual one)")
        private @Nullable String scale;

        @Parameters(paramLabel = "PRESET", description = "name of the preset")
        private String preset = "";

        @Override
        public Integer call() {
            return client.call((api, output) -> {
                String path = "presets/" + ServiceApi.encoded(preset);
                output.single(
                        DEFINITIONS, api.get(new Query(path).with("scale", scale).toString()));
                return ExitStatus.OK;
            });
        }
    }
}
