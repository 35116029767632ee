package dev.equipoise.app.problem;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Turns an exception into text for the end of a sentence to a user. */
public final class ExceptionText {

    private ExceptionText() {}

    /**
     * Returns the file and what is wrong with it, which some exceptions tell by their class alone.
     */
    public static String of(IOException failure) {
        return failure instanceof FileSystemException file
                ? "%s: %s".formatted(file.getFile(), reason(file))
                : innermost(failure);
    }

    private static String reason(FileSystemException file) {
        return switch (file) {
            case AccessDeniedException _ -> "permission denied";
            case DirectoryNotEmptyException _ -> "is not empty";
            case FileAlreadyExistsException _ -> "already exists";
            case NoSuchFileException _ -> "does not exist";
            default ->
                    file.getReason() == null ? file.getClass().getSimpleName() : file.getReason();
        };
    }

    /** Returns the message of the innermost cause. */
    public static String innermost(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.getClass().getName() : root.getMessage();
    }
}
