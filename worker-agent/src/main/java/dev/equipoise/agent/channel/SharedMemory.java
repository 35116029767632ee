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
 * Memory for both directions between two ranks of one machine, found by the name of a file that
 * only its owner may open and that is gone as soon as both have it.
 */
final class SharedMemory implements AutoCloseable {

    private static final Path IN_MEMORY = Path.of("/dev/shm");

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

    /** Where this machine has files that are memory and nothing else, if it has such a place. */
    static Optional<Path> folder() {
        return Files.isWritable(IN_MEMORY) ? Optional.of(IN_MEMORY) : Optional.empty();
    }

    /**
     * Takes all of it from the machine at once: what a full machine refuses later would end the
     * process.
     *
     * @throws IOException also when there is no room for it
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

    /** Opens what the peer has created. */
    static SharedMemory open(Path folder, UUID name) throws IOException {
        Path file = path(folder, name);
        if (Files.size(file) != 2 * SharedRing.BYTES) {
            throw new IOException("shared memory must have the size that was agreed on");
        }
        return new SharedMemory(file, false);
    }

    private static Path path(Path folder, UUID name) {
        return folder.resolve("equipoise-" + name);
    }

    /** Both have it, or one of them will not. */
    void unlink() throws IOException {
        Files.deleteIfExists(file);
    }

    /** Gives it back; who is in the middle of it gets an {@link IllegalStateException}. */
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
