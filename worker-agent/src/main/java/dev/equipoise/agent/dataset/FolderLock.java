package dev.equipoise.agent.dataset;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lock of a folder across processes, by a lock on a file, and across threads, by a lock in memory.
 */
final class FolderLock implements AutoCloseable {
    /** Needed since file locks belong to the process: a second thread would get an exception. */
    private static final ReentrantLock THIS_PROCESS = new ReentrantLock();

    private final FileChannel channel;

    private FolderLock(FileChannel channel) {
        this.channel = channel;
    }

    /** Waits for the lock. */
    static FolderLock of(Path folder) throws IOException {
        THIS_PROCESS.lock();
        try {
            return lock(FileChannel.open(folder.resolve(".lock"), CREATE, WRITE));
        } catch (IOException | RuntimeException e) {
            THIS_PROCESS.unlock();
            throw e;
        }
    }

    private static FolderLock lock(FileChannel channel) throws IOException {
        try {
            channel.lock();
            return new FolderLock(channel);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Closes the channel, which releases the file lock, as the end of the process does. */
    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            THIS_PROCESS.unlock();
        }
    }
}
