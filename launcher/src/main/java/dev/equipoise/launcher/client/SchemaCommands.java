package dev.equipoise.launcher.client;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Commands of the JSON Schemas by which editors complete and check files. */
@Command(
        name = "schema",
        description = "Prints JSON Schemas for editors.",
        subcommands = SchemaCommands.Definition.class,
        mixinStandardHelpOptions = true)
final class SchemaCommands {

    @Command(
            name = "definition",
            description = "Prints the JSON Schema of definitions.",
            mixinStandardHelpOptions = true)
    static final class Definition implements Callable<Integer> {

        @Mixin private final ClientOptions client = new ClientOptions();

        @Override
        public Integer call() {
            return client.call((api, output) -> {
                output.tree(api.get("schema/definition"));
                return ExitStatus.OK;
            });
        }
    }
}
