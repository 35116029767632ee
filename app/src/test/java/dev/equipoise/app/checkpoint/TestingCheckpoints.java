package dev.equipoise.app.checkpoint;

import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Parts of checkpoints whose weights are made up. */
public final class TestingCheckpoints {

    private TestingCheckpoints() {}

    /** As a rank that has nothing for itself but what it counts. */
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

    /** The whole file of such a rank. */
    public static byte[] file(Assignment.Training part, int epoch) {
        return file(header(part, epoch));
    }

    /** The whole file. */
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
