package dev.equipoise.app.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** A disk of limited size in memory, which a test mounts at a folder. Needs Linux and root. */
final class MemoryDisk implements AutoCloseable {

    /** Precedes the process id in the name of a disk, by which the cleanup finds it. */
    private static final String PREFIX = "eqd";

    private static final int PAGE_BYTES = 4 << 10;

    private static final String PROBE =
            """
            folder=$(mktemp -d)
            trap 'rmdir "$folder"' EXIT
            mount -t tmpfs tmpfs "$folder"
            umount "$folder"
            """;

    /** Unmounts the disks of dead processes. */
    private static final String CLEANUP =
            """
            grep '^eqd[0-9]* ' /proc/mounts | while read -r source folder rest; do
                [ -d "/proc/${source#eqd}" ] || umount "$folder"
            done
            """;

    private final Path folder;

    private MemoryDisk(Path folder) {
        this.folder = folder;
    }

    /** Returns whether this machine lets a test mount disks. */
    static boolean isPossible() {
        return succeeds("sh", "-ec", PROBE);
    }

    /** Mounts an empty disk at a folder, which is created. */
    static MemoryDisk mount(Path folder, int mebibytes) throws IOException {
        succeeds("sh", "-c", CLEANUP);
        Files.createDirectories(folder);
        run(
                "mount",
                "-t",
                "tmpfs",
                "-o",
                "size=%dm".formatted(mebibytes),
                PREFIX + ProcessHandle.current().pid(),
                folder.toString());
        return new MemoryDisk(folder);
    }

    /** Creates an empty folder on the disk. */
    Path createFolder(String name) throws IOException {
        return Files.createDirectory(folder.resolve(name));
    }

    /** Takes all free space. */
    void fill() {
        byte[] page = new byte[PAGE_BYTES];
        try (OutputStream ballast = Files.newOutputStream(ballast())) {
            while (freeBytes() > 0) {
                ballast.write(page);
            }
        } catch (IOException full) {
            // Another process has taken the last page.
        }
    }

    /** Gives back the space that {@link #fill} has taken. */
    void empty() throws IOException {
        Files.delete(ballast());
    }

    private Path ballast() {
        return folder.resolve("ballast");
    }

    private long freeBytes() throws IOException {
        return Files.getFileStore(folder).getUsableSpace();
    }

    /** Unmounts the disk from its folder, even if a file on it is open. */
    @Override
    public void close() {
        run("umount", "-l", folder.toString());
    }

    private static void run(String... command) {
        assertThat(succeeds(command)).as("%s", Arrays.asList(command)).isTrue();
    }

    private static boolean succeeds(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            return process.onExit().join().exitValue() == 0;
        } catch (IOException missing) {
            return false;
        }
    }
}
