package dev.equipoise.agent.dataset;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.GZIPInputStream;

enum Checksum {
    MD5("MD5"),
    SHA_256("SHA-256");

    private static final int BUFFER = 1 << 16;

    private final String algorithm;

    Checksum(String algorithm) {
        this.algorithm = algorithm;
    }

    String of(byte[] content) {
        return HexFormat.of().formatHex(digest().digest(content));
    }

    String of(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return of(in);
        }
    }

    /** Returns the digest of the unpacked content of a gzip file. */
    String ofUnpacked(Path packed) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(packed), BUFFER)) {
            return of(in);
        }
    }

    private String of(InputStream in) throws IOException {
        MessageDigest digest = digest();
        byte[] buffer = new byte[BUFFER];
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            digest.update(buffer, 0, count);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private MessageDigest digest() {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has " + algorithm, e);
        }
    }
}
