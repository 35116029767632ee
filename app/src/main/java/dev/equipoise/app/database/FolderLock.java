package dev.equipoise.app.database;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The exclusive right of one service to a folder. The operating system releases the lock when the
 * process ends in any way; a process number in a file would outlive a killed service and could be
 * reused by another process.
 */
final class FolderLock implements AutoCloseable {

    private static final String FILE = "service.lock";

    /** Closing this channel releases the lock. */
    private final FileChannel channel;

    private FolderLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Locks the folder and writes the number of this process to the lock file, for messages of
     * others.
     *
     * @throws DatabaseUnavailable if another service holds the lock
     */
    static FolderLock take(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        FileChannel channel = open(file);
        try {
            if (channel.tryLock() == null) {
                throw inUse(folder, file);
            }
            writeProcessNumber(channel);
            return new FolderLock(channel);
        } catch (IOException | RuntimeException failure) {
            channel.close();
            throw failure;
        }
    }

    private static DatabaseUnavailable inUse(Path folder, Path file) throws IOException {
        return new DatabaseUnavailable(
                folder,
                "another service (process %s) uses this folder; stop it first"
                        .formatted(Files.readString(file).strip()));
    }

    private static void writeProcessNumber(FileChannel channel) throws IOException {
        String line = ProcessHandle.current().pid() + "\n";
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
    }

    /** Tells whether another process has locked the file. */
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
