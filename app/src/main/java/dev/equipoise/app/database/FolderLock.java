package dev.equipoise.app.database;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The right of one service alone to a folder. The system takes it back when the process ends,
 * however it ends; a process number in a file would outlive a killed service, and come again.
 */
final class FolderLock implements AutoCloseable {

    private static final String FILE = "service.lock";

    /** Closing it gives the lock back. */
    private final FileChannel channel;

    private FolderLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes the folder, and leaves the number of this process there for others to name.
     *
     * @throws DatabaseUnavailable where another service has it
     */
    static FolderLock take(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        FileChannel channel = open(file);
        try {
            if (channel.tryLock() == null) {
                throw new DatabaseUnavailable(
                        folder,
                        "another service (process %s) runs on this folder"
                                .formatted(Files.readString(file).strip()));
            }
            channel.truncate(0);
            channel.write(
                    ByteBuffer.wrap(
                            (ProcessHandle.current().pid() + "\n")
                                    .getBytes(StandardCharsets.UTF_8)));
            return new FolderLock(channel);
        } catch (IOException | RuntimeException failure) {
            channel.close();
            throw failure;
        }
    }

    /** Whether another process has locked the file. */
    static boolean isTaken(Path file) throws IOException {
        try (FileChannel channel = open(file)) {
            return channel.tryLock() == null;
        }
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
