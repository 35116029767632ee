package dev.equipoise.launcher;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;

/** What ends a command; the message is one sentence for the user. */
sealed class LabFailure extends RuntimeException permits NoAnswer, Refused {

    LabFailure(String sentence) {
        super(sentence);
    }

    LabFailure(String sentence, Throwable cause) {
        super(sentence, cause);
    }

    /** What is wrong with a file, which its exception may say by its class alone. */
    static String reason(IOException failure) {
        return switch (failure) {
            case AccessDeniedException _ -> "permission denied";
            case FileAlreadyExistsException inTheWay -> inTheWay.getFile() + " is no folder";
            case FileSystemException file -> String.valueOf(file.getReason());
            default -> String.valueOf(failure.getMessage());
        };
    }
}
