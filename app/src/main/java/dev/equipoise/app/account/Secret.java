package dev.equipoise.app.account;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * The text of a token: a prefix and 256 random bits. With this entropy, a plain SHA-256 protects
 * the stored token, and looking up the hash leaks nothing by its timing.
 */
record Secret(String text) {

    /** The number of characters after the prefix. */
    static final int CHARACTERS = 43;

    private static final int BYTES = 32;

    static Secret random(TokenKind kind, SecureRandom random) {
        byte[] bits = new byte[BYTES];
        random.nextBytes(bits);
        return new Secret(
                kind.prefix() + Base64.getUrlEncoder().withoutPadding().encodeToString(bits));
    }

    /** Tells whether the text has the form of a token of this kind. */
    boolean isOf(TokenKind kind) {
        return kind.isOf(text)
                && text.length() == kind.prefix().length() + CHARACTERS
                && text.chars()
                        .skip(kind.prefix().length())
                        .allMatch(it ->
                                it < 128
                                        && (Character.isLetterOrDigit(it)
                                                || it == '-'
                                                || it == '_'));
    }

    byte[] hash() {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    @Override
    public String toString() {
        return "Secret[...]";
    }
}
