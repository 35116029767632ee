package dev.equipoise.agent.dataset;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/*
 * POSIX ustar: a header of 512 bytes, then the content, padded to a multiple of 512; a header of
 * zeros ends the archive. Content stays in memory, under names that the caller chose, so that no
 * name in an archive can do harm.
 */
final class TarReader {
    private static final int BLOCK = 512;
    private static final long MAX_BYTES = 256L << 20;

    private TarReader() {}

    /** Receives the files of an archive. */
    interface Sink {
        void take(String name, byte[] content) throws IOException;
    }

    /** Returns the wanted regular files of an archive. */
    static Map<String, byte[]> read(InputStream tar, Collection<String> wanted) throws IOException {
        Map<String, byte[]> files = new HashMap<>();
        read(tar, wanted::contains, files::put);
        return files;
    }

    /** Passes the wanted regular files to a sink, one at a time. */
    static void read(InputStream tar, Predicate<String> wanted, Sink sink) throws IOException {
        byte[] header = block(tar);
        while (header[0] != 0) {
            long size = size(header);
            String name = name(header);
            if (isRegularFile(header) && wanted.test(name)) {
                sink.take(name, content(tar, size));
            } else {
                tar.skipNBytes(size);
            }
            tar.skipNBytes(Math.floorMod(-size, BLOCK));
            header = block(tar);
        }
    }

    private static byte[] block(InputStream tar) throws IOException {
        return content(tar, BLOCK);
    }

    private static byte[] content(InputStream tar, long size) throws IOException {
        byte[] content = tar.readNBytes(Math.toIntExact(size));
        if (content.length < size) {
            throw new EOFException("archive ends within a file");
        }
        return content;
    }

    private static boolean isRegularFile(byte[] header) {
        return header[156] == '0' || header[156] == 0;
    }

    private static String name(byte[] header) {
        String prefix = text(header, 345, 155);
        String name = text(header, 0, 100);
        return prefix.isEmpty() ? name : prefix + "/" + name;
    }

    private static long size(byte[] header) throws IOException {
        String octal = text(header, 124, 12).strip();
        if (!octal.matches("[0-7]{1,11}") || Long.parseLong(octal, 8) > MAX_BYTES) {
            throw new IOException(
                    "size in a tar header must be octal and at most %d, but was '%s'"
                            .formatted(MAX_BYTES, octal));
        }
        return Long.parseLong(octal, 8);
    }

    private static String text(byte[] header, int start, int length) {
        int end = start;
        while (end < start + length && header[end] != 0) {
            end++;
        }
        return new String(header, start, end - start, UTF_8);
    }
}
