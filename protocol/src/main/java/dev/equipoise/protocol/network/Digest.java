package dev.equipoise.protocol.network;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Digest of a text: 64 bits of SHA-256, in hexadecimal. */
final class Digest {

    private static final String ALGORITHM = "SHA-256";
    private static final int BYTES = 8;

    private Digest() {}

    static String of(String text) {
        try {
            byte[] digest =
                    MessageDigest.getInstance(ALGORITHM)
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }
}
