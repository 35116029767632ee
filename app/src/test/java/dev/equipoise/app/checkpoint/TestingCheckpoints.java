package dev.equipoise.app.checkpoint;

import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** Checkpoint parts with arbitrary weights. */
public final class TestingCheckpoints {

    /** Length of an own state that is a text. */
    private static final int TEXT_FLOATS = 32;

    /** Own state of a part that exceeds the limit of a simulated service. */
    private static final int LARGE_FLOATS = 20_000;

    private TestingCheckpoints() {}

    /** Creates the header of a rank whose own state has only counters. */
    public static CheckpointHeader header(Assignment.Training part, int epoch) {
        return header(part, epoch, 0);
    }

    private static CheckpointHeader header(Assignment.Training part, int epoch, int own) {
        return new CheckpointHeader(
                part.run(),
                part.generation(),
                epoch,
                part.peers().size(),
                part.rank(),
                3,
                part.rank() == 0 ? part.plan().network().parameterCount() : 0,
                own);
    }

    /** Creates the complete file of such a rank. */
    public static byte[] file(Assignment.Training part, int epoch) {
        return file(header(part, epoch));
    }

    /**
     * Creates the complete file of a rank whose own state is a text.
     *
     * @param own at most 128 characters of ASCII
     */
    public static byte[] file(Assignment.Training part, int epoch, String own) {
        return file(header(part, epoch, TEXT_FLOATS), own);
    }

    /** Creates the complete file of a rank with an own state of 80 kB. */
    public static byte[] largeFile(Assignment.Training part, int epoch) {
        return file(header(part, epoch, LARGE_FLOATS));
    }

    /** Returns the own state of a file, if it is a text. */
    public static String own(byte[] file) {
        CheckpointHeader header =
                CheckpointHeader.read(Arrays.copyOf(file, CheckpointHeader.BYTES));
        return new String(
                        file,
                        beginningOfOwn(header),
                        Math.toIntExact(header.own() * Float.BYTES),
                        StandardCharsets.US_ASCII)
                .strip();
    }

    private static int beginningOfOwn(CheckpointHeader header) {
        return Math.toIntExact(
                CheckpointHeader.BYTES
                        + (long) header.numbers() * Long.BYTES
                        + header.common() * Float.BYTES);
    }

    /** Creates the complete file for a header. */
    public static byte[] file(CheckpointHeader header) {
        return file(header, "");
    }

    private static byte[] file(CheckpointHeader header, String own) {
        ByteBuffer file = ByteBuffer.allocate(Math.toIntExact(header.fileBytes()));
        file.put(header.toBytes());
        while (file.remaining() > CheckpointHeader.DIGEST_BYTES) {
            file.put((byte) file.position());
        }
        if (!own.isEmpty()) {
            byte[] text = "%-128s".formatted(own).getBytes(StandardCharsets.US_ASCII);
            file.put(beginningOfOwn(header), text);
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(file.array(), 0, file.position());
            return file.put(digest.digest()).array();
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
