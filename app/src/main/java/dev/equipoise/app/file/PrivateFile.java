package dev.equipoise.app.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Writes files that only their owner can read, from the first byte on. */
public final class PrivateFile {

    private PrivateFile() {}

    /**
     * Writes a text atomically: after a crash of the process or machine the file has all of it or
     * its former content.
     */
    public static void write(Path file, String text) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        // A draft that an earlier process left might have other permissions.
        Files.deleteIfExists(draft);
        writeNew(draft, text);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void writeNew(Path file, String text) throws IOException {
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")))) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }
}
