package dev.equipoise.launcher.client;

import static dev.equipoise.launcher.client.ResourceColumn.field;

import dev.equipoise.launcher.UsageError;
import dev.equipoise.launcher.context.ContextFile;
import dev.equipoise.launcher.context.Contexts;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Commands of contexts, which no service is asked for. */
@Command(
        name = "contexts",
        description = "Lists, selects and deletes the services that you have logged in to.",
        mixinStandardHelpOptions = true)
final class ContextCommands {

    private static final ResourceTable CONTEXTS =
            ResourceTable.of(
                    field("name", "/name"),
                    field("service", "/service"),
                    field("current", "/current"),
                    field("ca", "/ca"));

    private final ContextFile file = ContextFile.ofUser(System.getenv());

    @Spec private @Nullable CommandSpec command;

    @Command(
            name = "list",
            description = "Lists contexts, without their tokens.",
            mixinStandardHelpOptions = true)
    int list(
            @Option(
                            names = {"-o", "--output"},
                            paramLabel = "FORMAT",
                            description = "format of the result: ${COMPLETION-CANDIDATES}",
                            defaultValue = "table")
                    OutputFormat format) {
        Contexts contexts = file.read();
        List<JsonNode> items = new ArrayList<>();
        contexts.contexts()
                .forEach((name, context) ->
                        items.add(
                                JsonMapper.shared()
                                        .createObjectNode()
                                        .put("name", name)
                                        .put("service", context.service().toString())
                                        .put("current", name.equals(contexts.current()))
                                        .put("ca", context.ca())));
        new Output(format, line().getOut(), err(), false).list(CONTEXTS, items);
        return ExitStatus.OK;
    }

    @Command(
            name = "use",
            description = "Selects the context that commands use.",
            mixinStandardHelpOptions = true)
    int use(@Parameters(paramLabel = "NAME", description = "name of the context") String name) {
        Contexts contexts = file.read();
        if (contexts.named(name).isEmpty()) {
            throw new UsageError(
                    "there is no context %s; the contexts are %s"
                            .formatted(name, contexts.contexts().keySet()));
        }
        file.write(contexts.using(name));
        return ExitStatus.OK;
    }

    @Command(
            name = "delete",
            description = "Deletes contexts, as 'logout' does.",
            mixinStandardHelpOptions = true)
    int delete(
            @Parameters(arity = "1..*", paramLabel = "NAME", description = "name of a context")
                    List<String> names) {
        return names.stream()
                .mapToInt(name -> Logout.end(name, file.read(), file, err()))
                .max()
                .orElse(ExitStatus.OK);
    }

    private CommandLine line() {
        return Objects.requireNonNull(command, "picocli sets the command").commandLine();
    }

    private PrintWriter err() {
        return line().getErr();
    }
}
