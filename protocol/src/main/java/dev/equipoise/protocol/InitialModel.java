package dev.equipoise.protocol;

import java.util.regex.Pattern;

/**
 * Trained model with whose weights the ranks of a run begin.
 *
 * @param run run that trained it
 * @param digest SHA-256 digest of its file, 64 hexadecimal digits
 */
public record InitialModel(RunId run, String digest) {

    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");

    public InitialModel {
        Rules.present("run", run);
        Rules.present("digest", digest);
        if (!DIGEST.matcher(digest).matches()) {
            throw new IllegalArgumentException(
                    "digest must be 64 hexadecimal digits, but has %d characters"
                            .formatted(digest.length()));
        }
    }
}
