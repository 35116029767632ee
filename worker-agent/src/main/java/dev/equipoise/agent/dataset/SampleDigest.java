package dev.equipoise.agent.dataset;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256 of a sequence of numbers, the same on all hosts. It reads arrays in chunks, so that it
 * needs 64 KiB of memory.
 */
public final class SampleDigest {

    private static final String ALGORITHM = "SHA-256";
    private static final int CHUNK_NUMBERS = 1 << 14;
    private static final int SHOWN_BYTES = 8;

    private final MessageDigest digest;
    private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK_NUMBERS * Integer.BYTES);

    SampleDigest() {
        try {
            digest = MessageDigest.getInstance(ALGORITHM);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    public void add(long number) {
        digest.update(chunk.clear().putLong(number).flip());
    }

    /** Adds a text with its length, so that the borders of texts count. */
    public void add(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        add(bytes.length);
        digest.update(bytes);
    }

    /** Adds the first numbers. */
    public void add(byte[] numbers, int count) {
        digest.update(numbers, 0, count);
    }

    /** Adds the first numbers. */
    public void add(int[] numbers, int count) {
        for (int from = 0; from < count; from += CHUNK_NUMBERS) {
            int some = Math.min(CHUNK_NUMBERS, count - from);
            chunk.clear().asIntBuffer().put(numbers, from, some);
            digest.update(chunk.limit(some * Integer.BYTES));
        }
    }

    /** Adds the bits of the first numbers. */
    public void add(float[] numbers, int count) {
        for (int from = 0; from < count; from += CHUNK_NUMBERS) {
            int some = Math.min(CHUNK_NUMBERS, count - from);
            chunk.clear().asFloatBuffer().put(numbers, from, some);
            digest.update(chunk.limit(some * Float.BYTES));
        }
    }

    /** Returns the first 64 bits in hexadecimal, and begins anew. */
    String hex() {
        return HexFormat.of().formatHex(digest.digest(), 0, SHOWN_BYTES);
    }
}
