package dev.equipoise.app.checkpoint;

import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Checkpoint parts with arbitrary weights. */
public final class TestingCheckpoints {

    private TestingCheckpoints() {}

    /** Creates the header of a rank whose own state has only counters. */
    public static CheckpointHeader header(Assignment.Training part, int epoch) {
        return new CheckpointHeader(
                part.run(),
                part.generation(),
                epoch,
                part.peers().size(),
                part.rank(),
                3,
                part.rank() == 0 ? part.plan().network().parameterCount() : 0,
                0);
    }

    /** Creates the complete file of such a rank. */
    public static byte[] file(Assignment.Training part, int epoch) {
        return file(header(part, epoch));
    }

    /** Creates the complete file for a header. */
    public static byte[] file(CheckpointHeader header) {
        ByteBuffer file = ByteBuffer.allocate(Math.toIntExact(header.fileBytes()));
        file.put(header.toBytes());
        while (file.remaining() > CheckpointHeader.DIGEST_BYTES) {
            file.put((byte) file.position());
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
