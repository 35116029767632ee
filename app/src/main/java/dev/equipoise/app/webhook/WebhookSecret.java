package dev.equipoise.app.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Secret that the service and a receiver share. It signs deliveries as <a
 * href="https://www.standardwebhooks.com">Standard Webhooks</a> specifies: HMAC-SHA256 over id,
 * timestamp and body.
 */
final class WebhookSecret {

    static final int MIN_BYTES = 24;
    static final int MAX_BYTES = 64;

    /** Syntax of the text of a secret, for error messages. */
    static final String RULE =
            "must be whsec_ and the Base64 of %d to %d random bytes; leave it out to get one"
                    .formatted(MIN_BYTES, MAX_BYTES);

    private static final String PREFIX = "whsec_";
    private static final int RANDOM_BYTES = 32;
    private static final String ALGORITHM = "HmacSHA256";

    private final byte[] key;

    private WebhookSecret(byte[] key) {
        this.key = key;
    }

    static WebhookSecret random(SecureRandom random) {
        byte[] key = new byte[RANDOM_BYTES];
        random.nextBytes(key);
        return new WebhookSecret(key);
    }

    /**
     * Reads the text of a secret.
     *
     * @throws IllegalArgumentException with {@link #RULE}
     */
    static WebhookSecret parse(String text) {
        byte[] key = decoded(text);
        if (key.length < MIN_BYTES || key.length > MAX_BYTES) {
            throw new IllegalArgumentException(RULE);
        }
        return new WebhookSecret(key);
    }

    private static byte[] decoded(String text) {
        if (!text.startsWith(PREFIX)) {
            throw new IllegalArgumentException(RULE);
        }
        try {
            return Base64.getDecoder().decode(text.substring(PREFIX.length()));
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException(RULE, invalid);
        }
    }

    /** Creates the secret of a stored key. */
    static WebhookSecret ofKey(byte[] key) {
        return new WebhookSecret(key.clone());
    }

    byte[] key() {
        return key.clone();
    }

    /** Returns the text that the receiver needs. */
    String text() {
        return PREFIX + Base64.getEncoder().encodeToString(key);
    }

    /** Returns the header {@code webhook-signature} of a delivery. */
    String sign(UUID id, Instant timestamp, String body) {
        return sign(id.toString(), timestamp.getEpochSecond(), body);
    }

    String sign(String id, long epochSecond, String body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            byte[] signature =
                    mac.doFinal(
                            "%s.%d.%s"
                                    .formatted(id, epochSecond, body)
                                    .getBytes(StandardCharsets.UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(signature);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has HMAC-SHA256", impossible);
        }
    }

    @Override
    public String toString() {
        return "WebhookSecret[...]";
    }
}
