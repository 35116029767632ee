package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * Public key by which other agents recognize a worker at its data address (Ed25519, RFC 8032). Each
 * process of an agent has a key pair of its own.
 *
 * @param text SubjectPublicKeyInfo of RFC 8410, 44 bytes in Base64
 */
public record ProbeKey(@JsonValue String text) {

    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9+/]{59}=");

    public ProbeKey {
        Rules.present("probeKey", text);
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "probeKey must be an Ed25519 public key of 44 bytes in Base64");
        }
    }

    @JsonCreator
    public static ProbeKey of(String text) {
        return new ProbeKey(text);
    }

    /** Returns the key with these bytes, as {@link java.security.PublicKey#getEncoded} has them. */
    public static ProbeKey of(byte[] encoded) {
        return new ProbeKey(Base64.getEncoder().encodeToString(encoded));
    }

    public byte[] encoded() {
        return Base64.getDecoder().decode(text);
    }
}
