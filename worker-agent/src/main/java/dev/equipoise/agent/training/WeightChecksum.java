package dev.equipoise.agent.training;

import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Weight checksum: 64 bits of SHA-256 in hexadecimal, by which equal replicas are recognized. */
final class WeightChecksum {

    private static final String ALGORITHM = "SHA-256";
    private static final int BYTES = 8;

    private WeightChecksum() {}

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
