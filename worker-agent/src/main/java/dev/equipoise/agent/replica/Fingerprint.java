package dev.equipoise.agent.replica;

import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Tells whether two replicas hold the same bits: 64 bits of SHA-256, in hexadecimal. */
final class Fingerprint {

    private static final String ALGORITHM = "SHA-256";
    private static final int BYTES = 8;

    private Fingerprint() {}

    static String of(MemorySegment vector) {
        try {
            MessageDigest digest = MessageDigest.getInstance(ALGORITHM);
            digest.update(vector.asByteBuffer());
            return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }
}
