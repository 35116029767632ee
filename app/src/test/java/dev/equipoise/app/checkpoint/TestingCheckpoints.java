package dev.equipoise.app.checkpoint;

import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Checkpoints whose weights are made up. */
public final class TestingCheckpoints {

    private TestingCheckpoints() {}

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
