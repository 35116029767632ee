package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class LabFailureTest {

    @Test
    void reasonIsASentenceAlsoWithoutAMessage() {
        assertThat(LabFailure.reason(new IOException("No space left on device")))
                .isEqualTo("No space left on device");
        assertThat(LabFailure.reason(new NoSuchFileException("a")))
                .isEqualTo("there is no such file or folder");
        assertThat(LabFailure.reason(new DirectoryNotEmptyException("a")))
                .isEqualTo("it is a folder that is not empty");
        assertThat(LabFailure.reason(new FileSystemException("a")))
                .isEqualTo("the system gives no reason (FileSystemException)");
        assertThat(LabFailure.reason(new EOFException()))
                .isEqualTo("the system gives no reason (EOFException)");
    }
}
