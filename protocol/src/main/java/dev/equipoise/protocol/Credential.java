package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * The bearer token of one worker: a prefix and 256 random bits. The agent chooses it, so that one
 * that never heard the answer to its registration can ask again and be the same worker.
 */
public record Credential(@JsonValue String text) {

    /** By which people and scanners recognise one. */
    public static final String PREFIX = "eqw_";

    private static final int BYTES = 32;
    private static final Pattern FORM = Pattern.compile(PREFIX + "[A-Za-z0-9_-]{43}");

    /**
     * Refuses what cannot hold 256 bits, and does not repeat it, as it may be somebody's secret.
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

    /** One that nobody else has. */
    public static Credential random(SecureRandom random) {
        byte[] bits = new byte[BYTES];
        random.nextBytes(bits);
        return new Credential(
                PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bits));
    }

    /** Without the text, which must not reach a log. */
    @Override
    public String toString() {
        return "Credential[...]";
    }
}
