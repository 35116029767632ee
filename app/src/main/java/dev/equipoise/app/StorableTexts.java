package dev.equipoise.app;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.SerializableString;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.sym.PropertyNameMatcher;
import tools.jackson.core.util.JsonParserDelegate;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * Rejects texts that the database cannot store unchanged: those with NUL and those with half of a
 * surrogate pair. In YAML it also rejects aliases, which would be read as texts, and tags, which
 * would be ignored.
 */
final class StorableTexts extends JsonParserDelegate {

    StorableTexts(JsonParser parser) {
        super(parser);
    }

    @Override
    public @Nullable JsonToken nextToken() {
        JsonToken token = super.nextToken();
        if (delegate instanceof YAMLParser yaml) {
            requirePlain(yaml);
        }
        if (token == JsonToken.PROPERTY_NAME) {
            requireStorable(currentName());
        } else if (token == JsonToken.VALUE_STRING) {
            requireStorable(getString());
        }
        return token;
    }

    // The delegate has its own ways to advance, which would bypass nextToken().

    @Override
    public @Nullable JsonToken nextValue() {
        JsonToken token = nextToken();
        return token == JsonToken.PROPERTY_NAME ? nextToken() : token;
    }

    @Override
    public @Nullable String nextName() {
        return nextToken() == JsonToken.PROPERTY_NAME ? currentName() : null;
    }

    @Override
    public boolean nextName(SerializableString name) {
        return name.getValue().equals(nextName());
    }

    @Override
    public int nextNameMatch(PropertyNameMatcher names) {
        nextToken();
        return currentNameMatch(names);
    }

    private void requirePlain(YAMLParser yaml) {
        if (yaml.isCurrentAlias()) {
            throw new StreamReadException(this, "YAML aliases are not supported");
        }
        if (yaml.getTypeId() != null) {
            throw new StreamReadException(this, "YAML tags are not supported");
        }
    }

    private void requireStorable(String text) {
        for (int at = 0; at < text.length(); at++) {
            char character = text.charAt(at);
            if (character == 0) {
                throw new StreamReadException(
                        this,
                        "text contains the character NUL (U+0000) at index %d: remove it"
                                .formatted(at));
            }
            if (Character.isSurrogate(character)) {
                if (!Character.isSurrogatePair(
                        character, at + 1 < text.length() ? text.charAt(at + 1) : 0)) {
                    throw new StreamReadException(
                            this,
                            "text contains half of a surrogate pair (U+%04X) at index %d: remove it"
                                    .formatted((int) character, at));
                }
                at++;
            }
        }
    }
}
