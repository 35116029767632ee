package dev.equipoise.protocol;

import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** SHA-256 digest of a body in the header {@code Content-Digest} (RFC 9530). */
public final class ContentDigest {

    /** Name of the header. */
    public static final String HEADER = "Content-Digest";

    private static final int BYTES = 32;
    private static final Pattern SHA_256 = Pattern.compile("sha-256=:([A-Za-z0-9+/]{43}=):");

    private ContentDigest() {}

    /** Returns the value of the header for a digest. */
    public static String of(byte[] sha256) {
        return "sha-256=:%s:".formatted(Base64.getEncoder().encodeToString(sha256));
    }

    /**
     * Returns the digest in a header.
     *
     * @throws IllegalArgumentException if the header has another form
     */
    public static byte[] sha256(String header) {
        Matcher parts = SHA_256.matcher(header.strip());
        byte[] digest = parts.matches() ? Base64.getDecoder().decode(parts.group(1)) : new byte[0];
        if (digest.length != BYTES) {
            throw new IllegalArgumentException(
                    "%s must be sha-256=: the Base64 of 32 bytes, and a colon, but has %d characters"
                            .formatted(HEADER, header.length()));
        }
        return digest;
    }
}
