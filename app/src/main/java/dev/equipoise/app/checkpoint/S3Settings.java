package dev.equipoise.app.checkpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Bucket of S3 or of a compatible service.
 *
 * @param endpoint address of the service (default: that of AWS in the region)
 * @param bucket name of the bucket (default: none, since S3 requires one)
 * @param region region of the bucket
 * @param prefix beginning of the names of all objects, such as {@code equipoise/} (default: none)
 * @param accessKey public half of the credentials (default: none, since S3 requires one)
 * @param secretKey secret half, unless it is in a file (default: none)
 * @param secretKeyFile file with the secret half (default: none)
 * @param pathStyle whether paths name the bucket instead of the host name, as many services other
 *     than AWS require
 */
record S3Settings(
        @Nullable URI endpoint,
        @DefaultValue("") String bucket,
        @DefaultValue("us-east-1") String region,
        @DefaultValue("") String prefix,
        @DefaultValue("") String accessKey,
        @Nullable String secretKey,
        @Nullable Path secretKeyFile,
        @DefaultValue("false") boolean pathStyle) {

    private static final String PREFIX = "equipoise.checkpoint.s3.";

    S3Settings {
        require(!bucket.isBlank(), "bucket must be named");
        require(!region.isBlank(), "region must be named");
        require(!accessKey.isBlank(), "access-key must be given");
        require(
                (secretKey == null) != (secretKeyFile == null),
                "secret-key or secret-key-file must be given, and not both");
        require(
                endpoint == null || (endpoint.getHost() != null && isHttp(endpoint.getScheme())),
                "endpoint must be an address such as https://s3.example, but was " + endpoint);
    }

    private static boolean isHttp(@Nullable String scheme) {
        return "http".equals(scheme) || "https".equals(scheme);
    }

    private static void require(boolean isMet, String rule) {
        if (!isMet) {
            throw new IllegalArgumentException(PREFIX + rule);
        }
    }

    /**
     * Returns the secret half of the credentials.
     *
     * @throws UncheckedIOException if its file cannot be read
     */
    String secret() {
        if (secretKeyFile == null) {
            return String.valueOf(secretKey);
        }
        try {
            return Files.readString(secretKeyFile).strip();
        } catch (IOException failure) {
            throw new UncheckedIOException(
                    PREFIX + "secret-key-file cannot be read: " + secretKeyFile, failure);
        }
    }

    /** Omits the credentials. */
    @Override
    public String toString() {
        return "S3Settings[%s%s]".formatted(bucket, endpoint == null ? "" : " at " + endpoint);
    }
}
