package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.springframework.boot.web.server.PortInUseException;

class StartFailureTest {

    private static RuntimeException wrapped(Throwable cause) {
        return new IllegalStateException("wrapper", new IllegalArgumentException("inner", cause));
    }

    @Test
    void namesThePortThatIsInUse() {
        assertThat(StartFailure.sentence(wrapped(new PortInUseException(8080))))
                .startsWith("port 8080 is in use; stop what listens there or choose another");
    }

    @Test
    void saysWhatTheDatabaseSaid() {
        assertThat(
                        StartFailure.sentence(
                                wrapped(
                                        new DatabaseUnavailable(
                                                Path.of("/data"), "the disk is full"))))
                .isEqualTo("the embedded PostgreSQL did not start in /data: the disk is full");
    }

    @Test
    void namesTheFileAndTheReason() {
        assertThat(StartFailure.sentence(wrapped(new FileSystemException("/a", null, "Not empty"))))
                .isEqualTo("/a: Not empty");
        assertThat(StartFailure.sentence(wrapped(new AccessDeniedException("/a"))))
                .isEqualTo("/a: AccessDeniedException");
    }

    @Test
    void saysTheRootOfAnythingElse() {
        assertThat(StartFailure.sentence(wrapped(new RuntimeException("the moon is full"))))
                .isEqualTo("the service did not start: the moon is full");
        assertThat(StartFailure.sentence(wrapped(new StackOverflowError())))
                .isEqualTo("the service did not start: java.lang.StackOverflowError");
    }
}
