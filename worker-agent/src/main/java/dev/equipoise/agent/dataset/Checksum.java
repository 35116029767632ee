package dev.equipoise.agent.dataset;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

enum Checksum {
    MD5("MD5"),
    SHA_256("SHA-256");

    private final String algorithm;

    Checksum(String algorithm) {
        this.algorithm = algorithm;
    }

    String of(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has " + algorithm, e);
        }
    }
}
