package dev.equipoise.agent.checkpoint;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Creates the digest at the end of a checkpoint. */
final class Digests {

    private static final String ALGORITHM = "SHA-256";

    private Digests() {}

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance(ALGORITHM);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }
}
