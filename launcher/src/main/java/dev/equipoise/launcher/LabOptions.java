package dev.equipoise.launcher;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/** Where a laboratory keeps its data and where it listens. */
final class LabOptions {

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description =
                    "folder of the database and the logs (default:"
                            + " $XDG_DATA_HOME/equipoise, or ~/.local/share/equipoise)")
    private @Nullable Path data;

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "port of the service on 127.0.0.1; 0 takes a free one",
            defaultValue = "0",
            showDefaultValue = Visibility.ALWAYS)
    private int port;

    Path data() {
        if (data != null) {
            return data.toAbsolutePath();
        }
        String xdg = System.getenv("XDG_DATA_HOME");
        Path base =
                xdg == null || xdg.isBlank()
                        ? Path.of(System.getProperty("user.home"), ".local", "share")
                        : Path.of(xdg);
        return base.resolve("equipoise");
    }

    int port() {
        return port;
    }
}
