package dev.equipoise.launcher.client;

import dev.equipoise.launcher.Connection;
import dev.equipoise.launcher.ServiceApi;
import dev.equipoise.launcher.ServiceOptions;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options of the commands that call a service: which one, and how to write what it answers. */
final class ClientOptions {

    @Mixin private final ServiceOptions service = new ServiceOptions();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "format of the result: ${COMPLETION-CANDIDATES}",
            defaultValue = "table",
            showDefaultValue = Visibility.ALWAYS)
    private OutputFormat format = OutputFormat.TABLE;

    @Option(
            names = {"-q", "--quiet"},
            description = "write no messages to standard error, except errors")
    private boolean quiet;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    /** Calls the service, and returns the exit status of the command. */
    int call(BiFunction<ServiceApi, Output, Integer> action) {
        Connection connection = service.required();
        try (ServiceApi api = connection.api()) {
            return action.apply(api, output());
        }
    }

    OutputFormat format() {
        return format;
    }

    private Output output() {
        var line = Objects.requireNonNull(command, "picocli sets the command").commandLine();
        return new Output(format, line.getOut(), line.getErr(), quiet);
    }
}
