package dev.equipoise.launcher;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.jspecify.annotations.Nullable;

/** A failure that ends a command; the message is one sentence for the user. */
public sealed class LabFailure extends RuntimeException
        permits ServiceUnreachable, RequestRejected {

    public LabFailure(String sentence) {
        super(sentence);
    }

    public LabFailure(String sentence, Throwable cause) {
        super(sentence, cause);
    }

    /** Describes a failed file operation; some exceptions tell the reason by their class alone. */
    public static String reason(IOException failure) {
        return switch (failure) {
            case AccessDeniedException _ -> "permission denied";
            case FileAlreadyExistsException inTheWay -> inTheWay.getFile() + " is not a folder";
            case NoSuchFileException _ -> "there is no such file or folder";
            case DirectoryNotEmptyException _ -> "it is a folder that is not empty";
            case NotDirectoryException _ -> "it is not a folder";
            case FileSystemException file -> given(file.getReason(), file);
            default -> given(failure.getMessage(), failure);
        };
    }

    private static String given(@Nullable String reason, IOException failure) {
        return reason == null || reason.isBlank()
                ? "the system gives no reason (%s)".formatted(failure.getClass().getSimpleName())
                : reason;
    }
}
