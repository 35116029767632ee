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
 * Refuses texts that cannot be kept as they are: NUL is taken by no database, and half of a
 * surrogate pair is no character. Of YAML it refuses what would be read as something else: an alias
 * as a text, and a value with a tag as one without.
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

    // The ways past nextToken() that the delegate would take by itself.

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
            throw new StreamReadException(this, "aliases are not understood");
        }
        if (yaml.getTypeId() != null) {
            throw new StreamReadException(this, "tags are not understood");
        }
    }

    private void requireStorable(String text) {
        for (int at = 0; at < text.length(); at++) {
            char character = text.charAt(at);
            if (character == 0) {
                throw new StreamReadException(this, "a text must not hold the character NUL");
            }
            if (Character.isSurrogate(character)) {
                if (!Character.isSurrogatePair(
                        character, at + 1 < text.length() ? text.charAt(at + 1) : 0)) {
                    throw new StreamReadException(
                            this, "a text must not hold half of a surrogate pair");
                }
                at++;
            }
        }
    }
}
