package dev.equipoise.app.checkpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A bucket of S3, or of what speaks as it does.
 *
 * @param endpoint where it is; null for that of AWS in the region
 * @param prefix what the names of all objects begin with, such as "equipoise/"
 * @param accessKey the public half of the credentials
 * @param secretKey the other half, unless it is in a file
 * @param secretKeyFile whose content is the other half
 * @param pathStyle whether the bucket is named in paths and not in the host's name, as many that
 *     are not AWS want it
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

    private static final String OWN = "equipoise.checkpoint.s3.";

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

    private static void require(boolean kept, String rule) {
        if (!kept) {
            throw new IllegalArgumentException(OWN + rule);
        }
    }

    /**
     * The secret half of the credentials.
     *
     * @throws UncheckedIOException where its file cannot be read
     */
    String secret() {
        if (secretKeyFile == null) {
            return String.valueOf(secretKey);
        }
        try {
            return Files.readString(secretKeyFile).strip();
        } catch (IOException failure) {
            throw new UncheckedIOException(
                    OWN + "secret-key-file cannot be read: " + secretKeyFile, failure);
        }
    }

    /** Without the credentials. */
    @Override
    public String toString() {
        return "S3Settings[%s%s]".formatted(bucket, endpoint == null ? "" : " at " + endpoint);
    }
}
