package dev.equipoise.agent.model;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Ends a command; the message is one sentence for the user. */
final class CommandFailed extends RuntimeException {

    private static final long serialVersionUID = 1;

    CommandFailed(String message) {
        super(message);
    }

    CommandFailed(String message, Throwable cause) {
        super(message, cause);
    }

    /** Creates the failure of a file; some exceptions tell the reason by their class alone. */
    static CommandFailed of(Path file, IOException failure) {
        String reason =
                switch (failure) {
                    case NoSuchFileException _ -> "it does not exist";
                    case AccessDeniedException _ -> "permission denied";
                    case FileSystemException system -> system.getReason();
                    default -> failure.getMessage();
                };
        return new CommandFailed(
                "%s: %s".formatted(file, reason == null ? described(failure) : reason), failure);
    }

    private static String described(IOException failure) {
        return "it cannot be read or written (%s)".formatted(failure.getClass().getSimpleName());
    }
}
