package dev.equipoise.launcher;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options of a lab on this machine: its data folder, its port and its start timeout. */
final class LabOptions {

    private static final int MAX_PORT = 65_535;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description =
                    "folder of the database and the logs (default:"
                            + " $XDG_DATA_HOME/equipoise/lab, or ~/.local/share/equipoise/lab)")
    private @Nullable Path data;

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "port of the service on 127.0.0.1; 0 picks a free one",
            defaultValue = "0",
            showDefaultValue = Visibility.ALWAYS)
    private int port;

    @Option(
            names = "--start-timeout",
            paramLabel = "S",
            description =
                    "seconds that the service may take to start, and then that the workers may take"
                            + " to join; raise it on a slow or busy machine",
            defaultValue = "360",
            showDefaultValue = Visibility.ALWAYS)
    private int startTimeout;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    Path data() {
        if (data != null) {
            return data.toAbsolutePath();
        }
        String xdg = System.getenv("XDG_DATA_HOME");
        Path base =
                xdg == null || xdg.isBlank()
                        ? Path.of(System.getProperty("user.home"), ".local", "share")
                        : Path.of(xdg);
        return base.resolve("equipoise").resolve("lab");
    }

    int port() {
        return port;
    }

    Duration startTimeout() {
        return Duration.ofSeconds(startTimeout);
    }

    /**
     * Checks the ranges of the options.
     *
     * @throws ParameterException if an option is out of range
     */
    void check() {
        require(
                port >= 0 && port <= MAX_PORT,
                "--port must be from 0 to %d, but was %d".formatted(MAX_PORT, port));
        require(startTimeout >= 1, "--start-timeout must be at least 1, but was " + startTimeout);
    }

    private void require(boolean holds, String rule) {
        if (!holds && command != null) {
            throw new ParameterException(command.commandLine(), rule);
        }
    }
}
