package dev.equipoise.app.configuration;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;

/**
 * Change of notes in a JSON merge patch (RFC 7396): a text replaces them, and null deletes them. A
 * patch without the field, whose component is null then, keeps them. A {@code DeletableField} of a
 * text does not fit: it would read an empty text as null, and notes have limits of their own.
 *
 * @param text Markdown; null to delete the notes
 */
@JsonDeserialize(using = NotesPatch.Reader.class)
public record NotesPatch(@Nullable String text) {

    /** Limit of the text in UTF-8, in bytes. */
    public static final int MAX_BYTES = 65_536;

    /** Control characters but tabs and line breaks: a terminal would obey them. */
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}&&[^\\t\\n\\r]]");

    public NotesPatch {
        if (text != null) {
            require(text);
        }
    }

    private static void require(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("must not be blank: send null to delete the notes");
        }
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "must have at most %d bytes in UTF-8, but has %d".formatted(MAX_BYTES, bytes));
        }
        if (CONTROL.matcher(text).find()) {
            throw new IllegalArgumentException(
                    "must not contain control characters other than tabs and line breaks");
        }
    }

    /** Distinguishes null from an absent field, which are both null in other components. */
    static final class Reader extends ValueDeserializer<NotesPatch> {

        @Override
        public NotesPatch deserialize(JsonParser json, DeserializationContext context) {
            return new NotesPatch(context.readValue(json, String.class));
        }

        @Override
        public NotesPatch getNullValue(DeserializationContext context) {
            return new NotesPatch(null);
        }

        @Override
        public @Nullable Object getAbsentValue(DeserializationContext context) {
            return null;
        }
    }
}
