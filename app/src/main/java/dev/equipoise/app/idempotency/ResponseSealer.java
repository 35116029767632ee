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
 * Encrypts stored responses with a key that only their caller has, since some responses contain a
 * secret that is shown once. The cipher is AES-256-GCM with the key HMAC-SHA-256(credential,
 * purpose). The service keeps no more than a hash of the credential.
 */
final class ResponseSealer {

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
    ResponseSealer(String credential, SecureRandom random) {
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

    /** Returns the SHA-256 of the credential, by which responses of this caller are found. */
    byte[] owner() {
        return owner.clone();
    }

    /**
     * Encrypts a response.
     *
     * @param name of the response, to which the ciphertext is bound
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
            throw new IllegalStateException(
                    "a stored response cannot be encrypted or decrypted", broken);
        }
    }
}
