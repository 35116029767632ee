package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * Bearer token of one worker: a prefix and 256 random bits. The agent chooses it, so that an agent
 * that missed the answer to its registration can repeat the request and remain the same worker.
 */
public record Credential(@JsonValue String text) {

    /** Prefix by which people and secret scanners recognize a credential. */
    public static final String PREFIX = "eqw_";

    private static final int BYTES = 32;
    private static final Pattern FORM = Pattern.compile(PREFIX + "[A-Za-z0-9_-]{43}");

    /**
     * Rejects a text that cannot hold 256 bits. The message omits the text, which may be a secret.
     */
    public Credential {
        Rules.present("credential", text);
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "credential must be %s and %d bytes in Base64 for URLs"
                            .formatted(PREFIX, BYTES));
        }
    }

    @JsonCreator
    public static Credential of(String text) {
        return new Credential(text);
    }

    /** Draws a new credential. */
    public static Credential random(SecureRandom random) {
        byte[] bits = new byte[BYTES];
        random.nextBytes(bits);
        return new Credential(
                PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bits));
    }

    /** Omits the text, which must not reach a log. */
    @Override
    public String toString() {
        return "Credential[...]";
    }
}
