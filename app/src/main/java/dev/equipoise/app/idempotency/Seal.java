package dev.equipoise.app.idempotency;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals answers with what only their caller has, since some of them hold a secret that is shown
 * once: AES-256-GCM under HMAC-SHA-256(credential, purpose). Of the credential the service keeps no
 * more than a hash.
 */
final class Seal {

    private static final byte[] PURPOSE =
            "equipoise: kept answer".getBytes(StandardCharsets.US_ASCII);
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final byte[] owner;
    private final SecretKeySpec key;
    private final SecureRandom random;

    /**
     * @param credential as the caller sent it
     */
    Seal(String credential, SecureRandom random) {
        this.random = random;
        byte[] secret = credential.getBytes(StandardCharsets.UTF_8);
        try {
            this.owner = MessageDigest.getInstance("SHA-256").digest(secret);
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            this.key = new SecretKeySpec(mac.doFinal(PURPOSE), "AES");
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    /** By what answers of this caller are found; tells nothing of the credential. */
    byte[] owner() {
        return owner.clone();
    }

    /**
     * @param name of the answer, to which the seal is bound
     */
    byte[] close(String name, byte[] plain) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] sealed = run(Cipher.ENCRYPT_MODE, name, nonce, plain);
        return ByteBuffer.allocate(nonce.length + sealed.length).put(nonce).put(sealed).array();
    }

    byte[] open(String name, byte[] sealed) {
        return run(
                Cipher.DECRYPT_MODE,
                name,
                Arrays.copyOf(sealed, NONCE_BYTES),
                Arrays.copyOfRange(sealed, NONCE_BYTES, sealed.length));
    }

    private byte[] run(int mode, String name, byte[] nonce, byte[] bytes) {
        try {
            Cipher cipher = Cipher.getInstance(CIPHER);
            cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
            cipher.updateAAD(name.getBytes(StandardCharsets.UTF_8));
            return cipher.doFinal(bytes);
        } catch (GeneralSecurityException broken) {
            throw new IllegalStateException("a kept answer cannot be sealed or opened", broken);
        }
    }
}
