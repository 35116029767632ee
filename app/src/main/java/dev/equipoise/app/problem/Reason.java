package dev.equipoise.app.problem;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** What an exception says to the user of a program, for the end of a sentence. */
public final class Reason {

    private Reason() {}

    /** The place and what is wrong there; a file's exception says the latter by its class alone. */
    public static String of(IOException failure) {
        if (!(failure instanceof FileSystemException file)) {
            return innermost(failure);
        }
        String reason =
                switch (file) {
                    case AccessDeniedException _ -> "permission denied";
                    case DirectoryNotEmptyException _ -> "is not empty";
                    case FileAlreadyExistsException _ -> "is in the way";
                    case NoSuchFileException _ -> "does not exist";
                    default ->
                            file.getReason() == null
                                    ? file.getClass().getSimpleName()
                                    : file.getReason();
                };
        return "%s: %s".formatted(file.getFile(), reason);
    }

    /** The message of the innermost cause. */
    public static String innermost(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.getClass().getName() : root.getMessage();
    }
}
