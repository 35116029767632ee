package dev.equipoise.app.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;

/** The folder into which the programs of PostgreSQL are unpacked, with a subfolder per version. */
record ServerPrograms(Path folder) {

    /** The marker file in each complete subfolder. */
    private static final String COMPLETE = ".exists";

    static ServerPrograms in(Path databaseFolder) {
        return new ServerPrograms(databaseFolder.resolve("server"));
    }

    /**
     * Tells whether a version is completely unpacked; whether it is the packed version is unknown.
     */
    boolean areUnpacked() throws IOException {
        return versions().stream().anyMatch(ServerPrograms::isComplete);
    }

    /** Removes what a killed process left, since unpacking would keep its truncated files. */
    void discardUnfinished() throws IOException {
        for (Path version : versions()) {
            if (!isComplete(version)) {
                FileSystemUtils.deleteRecursively(version);
            }
        }
    }

    private List<Path> versions() throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> inside = Files.list(folder)) {
            return inside.filter(Files::isDirectory).toList();
        }
    }

    private static boolean isComplete(Path version) {
        return Files.exists(version.resolve(COMPLETE));
    }
}
