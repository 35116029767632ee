package dev.equipoise.agent.channel;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Memory for both directions between two ranks on one host. A file names it, which only its owner
 * may open and which is unlinked as soon as both ranks have mapped it.
 */
final class SharedMemory implements AutoCloseable {

    private static final Path TMPFS = Path.of("/dev/shm");

    private final Path file;
    private final Arena arena = Arena.ofShared();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final MemorySegment memory;
    private final boolean first;

    private SharedMemory(Path file, boolean first) throws IOException {
        this.file = file;
        this.first = first;
        try (FileChannel mapped =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            this.memory = mapped.map(MapMode.READ_WRITE, 0, 2 * SharedRing.BYTES, arena);
        }
    }

    /** Returns the folder of files in memory (tmpfs), if this host has one. */
    static Optional<Path> folder() {
        return Files.isWritable(TMPFS) ? Optional.of(TMPFS) : Optional.empty();
    }

    /**
     * Creates the memory and allocates all of its pages at once, since a page that the host refuses
     * later would end the process.
     *
     * @throws IOException also when the host has no space for it
     */
    static SharedMemory create(Path folder, UUID name) throws IOException {
        Path file = path(folder, name);
        try {
            fill(file);
            return new SharedMemory(file, true);
        } catch (IOException e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    private static void fill(Path file) throws IOException {
        try (FileChannel created =
                FileChannel.open(
                        file,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")))) {
            ByteBuffer zeros = ByteBuffer.allocate(Math.toIntExact(2 * SharedRing.BYTES));
            while (zeros.hasRemaining()) {
                created.write(zeros);
            }
        }
    }

    /** Opens the memory that the peer has created. */
    static SharedMemory open(Path folder, UUID name) throws IOException {
        Path file = path(folder, name);
        if (Files.size(file) != 2 * SharedRing.BYTES) {
            throw new IOException(
                    "shared memory %s has %d bytes, but this version of the agent needs %d"
                            .formatted(file, Files.size(file), 2 * SharedRing.BYTES));
        }
        return new SharedMemory(file, false);
    }

    private static Path path(Path folder, UUID name) {
        return folder.resolve("equipoise-" + name);
    }

    /** Removes the name, once both ranks have mapped the memory or one of them has failed to. */
    void unlink() throws IOException {
        Files.deleteIfExists(file);
    }

    /**
     * Unmaps the memory; a thread that uses it at this moment gets an {@link
     * IllegalStateException}.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            arena.close();
        }
    }

    SharedRing outgoing() {
        return ring(first ? 0 : 1);
    }

    SharedRing incoming() {
        return ring(first ? 1 : 0);
    }

    private SharedRing ring(int index) {
        return new SharedRing(memory.asSlice(index * SharedRing.BYTES, SharedRing.BYTES));
    }
}
