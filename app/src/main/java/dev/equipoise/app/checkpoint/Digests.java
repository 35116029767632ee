package dev.equipoise.app.checkpoint;

import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** What the last bytes of a part say of those before. */
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

    /** Whether a part has so many bytes, of which the last are the digest of the others. */
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
        byte[] told = part.readNBytes(CheckpointHeader.DIGEST_BYTES);
        return MessageDigest.isEqual(told, digest.digest()) && part.read() < 0;
    }
}
