package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Product version of a service or of an agent: which release it is. {@link ProtocolVersion} tells
 * what it understands.
 *
 * @param text major and minor number with an optional rest: {@code 0.1.0-SNAPSHOT}
 */
public record SoftwareVersion(@JsonValue String text) {

    private static final int MAX_TEXT = 60;
    private static final Pattern FORM =
            Pattern.compile("([0-9]{1,6})\\.([0-9]{1,6})([.+-][A-Za-z0-9.+-]*)?");

    /** Version of this build. */
    public static final SoftwareVersion OWN = built();

    public SoftwareVersion {
        Rules.text("version", text, MAX_TEXT);
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "version must begin with a major and a minor number, as 0.1.0 does, but was "
                            + text);
        }
    }

    @JsonCreator
    public static SoftwareVersion of(String text) {
        return new SoftwareVersion(text);
    }

    private static SoftwareVersion built() {
        try (InputStream text =
                Objects.requireNonNull(SoftwareVersion.class.getResourceAsStream("version"))) {
            return of(new String(text.readAllBytes(), StandardCharsets.UTF_8).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
