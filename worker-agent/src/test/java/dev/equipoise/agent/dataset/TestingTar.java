package dev.equipoise.agent.dataset;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.Arrays;

final class TestingTar {
    private TestingTar() {}

    /** Returns header, content and padding. */
    static byte[] entry(String name, char type, byte[] content) {
        return entry(name, type, "%011o".formatted(content.length), content);
    }

    static byte[] entry(String name, char type, String size, byte[] content) {
        byte[] entry = new byte[512 + Math.ceilDiv(content.length, 512) * 512];
        ByteBuffer header = ByteBuffer.wrap(entry);
        header.put(0, name.getBytes(US_ASCII));
        header.put(124, size.getBytes(US_ASCII));
        header.put(156, (byte) type);
        header.put(512, content);
        return entry;
    }

    static byte[] archive(byte[]... entries) {
        byte[] archive = new byte[0];
        for (byte[] entry : entries) {
            int end = archive.length;
            archive = Arrays.copyOf(archive, end + entry.length);
            System.arraycopy(entry, 0, archive, end, entry.length);
        }
        return Arrays.copyOf(archive, archive.length + 1024);
    }
}
