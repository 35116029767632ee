package dev.equipoise.app.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.unit.DataSize;

class DiskGuardTest {

    private static final DataSize KEPT_FREE = DataSize.ofMegabytes(128);

    private long freeBytes = KEPT_FREE.toBytes();
    private final DiskGuard guard =
            new DiskGuard(() -> new DiskSpace(freeBytes), new DiskSettings(KEPT_FREE));

    @Test
    void fullDiskTakesNoNewWork() {
        freeBytes = KEPT_FREE.toBytes() - 1;

        assertThatExceptionOfType(Problem.class)
                .isThrownBy(guard::requireRoom)
                .withMessage(
                        "The disk of the service has 127 MiB left, and 128 MiB must stay free for"
                                + " active runs: free disk space, and try again")
                .satisfies(refusal -> {
                    assertThat(refusal.code()).isEqualTo(ErrorCode.NO_ROOM);
                    assertThat(refusal.retryAfter()).isEqualTo(30);
                });
    }

    @Test
    void diskAtTheLimitTakesNewWork() {
        assertThatCode(guard::requireRoom).doesNotThrowAnyException();
    }

    @Test
    void diskWithSpaceAgainTakesNewWork() {
        freeBytes = 0;
        assertThatExceptionOfType(Problem.class).isThrownBy(guard::requireRoom);

        freeBytes = KEPT_FREE.toBytes();

        assertThatCode(guard::requireRoom).doesNotThrowAnyException();
    }

    @Test
    void negativeLimitIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DiskSettings(DataSize.ofBytes(-1)))
                .withMessage("equipoise.disk.kept-free must not be negative, but was -1B");
    }

    @Test
    void missingFolderIsOnTheDiskOfTheFolderAbove(@TempDir Path folder) {
        DiskSpace space = new FolderDisk(folder.resolve("data").resolve("postgresql")).space();

        assertThat(space.freeBytes()).isPositive();
    }
}
