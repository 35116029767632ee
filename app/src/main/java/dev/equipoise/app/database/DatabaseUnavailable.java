package dev.equipoise.app.database;

import java.nio.file.Path;

/** Thrown if the embedded database cannot be used; the message is a sentence for the user. */
public final class DatabaseUnavailable extends RuntimeException {

    public DatabaseUnavailable(Path folder, String reason) {
        super(sentence(folder, reason));
    }

    public DatabaseUnavailable(Path folder, String reason, Throwable cause) {
        super(sentence(folder, reason), cause);
    }

    private static String sentence(Path folder, String reason) {
        return "the embedded PostgreSQL did not start in %s: %s".formatted(folder, reason);
    }
}
