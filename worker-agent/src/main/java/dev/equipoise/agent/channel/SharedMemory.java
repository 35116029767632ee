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
import java.util.Set;
import java.util.UUID;

/**
 * Memory for both directions between two ranks of one machine, found by the name of a file that
 * only its owner may open and that is gone as soon as both have it.
 */
final class SharedMemory {

    private static final Path IN_MEMORY = Path.of("/dev/shm");

    private final Path file;
    private final MemorySegment memory;
    private final boolean first;

    private SharedMemory(Path file, boolean first) throws IOException {
        this.file = file;
        this.first = first;
        try (FileChannel mapped =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            // Unmapped by the collector: the rank may be in the middle of it when it is closed.
            this.memory = mapped.map(MapMode.READ_WRITE, 0, 2 * SharedRing.BYTES, Arena.ofAuto());
        }
    }

    /** Whether this machine has a place for files that are memory and nothing else. */
    static boolean isPossible() {
        return Files.isWritable(IN_MEMORY);
    }

    static SharedMemory create(UUID name) throws IOException {
        Path file = path(name);
        try (FileChannel created =
                FileChannel.open(
                        file,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")))) {
            created.write(ByteBuffer.allocate(1), 2 * SharedRing.BYTES - 1);
        }
        return new SharedMemory(file, true);
    }

    /** Opens what the peer has created. */
    static SharedMemory open(UUID name) throws IOException {
        Path file = path(name);
        if (Files.size(file) != 2 * SharedRing.BYTES) {
            throw new IOException("shared memory must have the size that was agreed on");
        }
        return new SharedMemory(file, false);
    }

    private static Path path(UUID name) {
        return IN_MEMORY.resolve("equipoise-" + name);
    }

    /** Both have it, or one of them will not. */
    void unlink() throws IOException {
        Files.deleteIfExists(file);
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
