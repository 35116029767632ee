package dev.equipoise.app.checkpoint;

import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 digests of checkpoint parts, which end with the digest of their other bytes. */
final class Digests {

    private static final int SLICE = 1 << 16;

    private Digests() {}

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Whether a part has exactly this number of bytes and ends with the digest of the others. */
    static boolean endsWithOwn(InputStream part, long bytes) throws IOException {
        MessageDigest digest = sha256();
        byte[] slice = new byte[SLICE];
        long left = bytes - CheckpointHeader.DIGEST_BYTES;
        while (left > 0) {
            int read = part.readNBytes(slice, 0, (int) Math.min(SLICE, left));
            if (read == 0) {
                return false;
            }
            digest.update(slice, 0, read);
            left -= read;
        }
        byte[] stored = part.readNBytes(CheckpointHeader.DIGEST_BYTES);
        return MessageDigest.isEqual(stored, digest.digest()) && part.read() < 0;
    }
}
