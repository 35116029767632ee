package dev.equipoise.launcher.client;

import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Version that commands print for {@code --version}. */
final class CommandVersion {

    private CommandVersion() {}

    /** Lets a command and all commands below it tell their names and the version. */
    static void provide(CommandLine commandLine) {
        CommandSpec command = commandLine.getCommandSpec();
        command.versionProvider(
                () -> new String[] {"%s %s".formatted(command.qualifiedName(), version())});
        commandLine.getSubcommands().values().forEach(CommandVersion::provide);
    }

    /** Returns the version in the manifest of the jar, which classes in a folder lack. */
    private static String version() {
        return Objects.requireNonNullElse(
                CommandVersion.class.getPackage().getImplementationVersion(),
                "(built from source)");
    }
}
