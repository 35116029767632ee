package dev.equipoise.agent.channel;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The secret that the ranks of one run share and by which they authenticate one another. */
public final class RunKey {

    /** The length of a key. */
    public static final int BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";

    private final byte[] secret;

    /** Copies the secret, which the caller may then overwrite. */
    public RunKey(byte[] secret) {
        if (secret.length != BYTES) {
            throw new IllegalArgumentException(
                    "a run key must have %d bytes, but has %d".formatted(BYTES, secret.length));
        }
        this.secret = secret.clone();
    }

    /**
     * Computes the HMAC-SHA256 over the label and the remaining bytes of the parts, whose positions
     * do not change.
     */
    byte[] sign(byte label, ByteBuffer... parts) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            mac.update(label);
            for (ByteBuffer part : parts) {
                mac.update(part.duplicate());
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RunKey that && MessageDigest.isEqual(secret, that.secret);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(secret);
    }

    @Override
    public String toString() {
        return "RunKey[secret]";
    }
}
