package dev.equipoise.app.experiment;

import dev.equipoise.app.configuration.Workload.Initial;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the trained model with which a run begins and reports everything that is wrong. */
final class InitialReader {

    private static final String DIGEST = "digest";
    private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");

    private InitialReader() {}

    static Initial read(JsonFieldReader fields) {
        var initial = new Initial(ExecutionReader.run(fields), digest(fields));
        fields.end();
        return initial;
    }

    private static @Nullable String digest(JsonFieldReader fields) {
        if (!fields.given(DIGEST)) {
            return null;
        }
        String digest = fields.text(DIGEST, null);
        if (!digest.isEmpty() && !SHA_256.matcher(digest).matches()) {
            fields.reject(DIGEST, "must be a SHA-256 digest of 64 hexadecimal digits, 0-9 and a-f");
        }
        return digest;
    }
}
