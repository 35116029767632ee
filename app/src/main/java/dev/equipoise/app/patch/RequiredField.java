package dev.equipoise.app.patch;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;

/** Field of a merge patch that always has a value, so that {@code null} is rejected. */
public final class RequiredField extends PatchedField {

    public RequiredField() {
        this(null);
    }

    private RequiredField(@Nullable ValueDeserializer<Object> values) {
        super(values);
    }

    @Override
    PatchedField of(ValueDeserializer<Object> fieldValues) {
        return new RequiredField(fieldValues);
    }

    /**
     * Rejects null.
     *
     * @throws IllegalArgumentException always; the response has its message as the broken rule
     */
    @Override
    public Object getNullValue(DeserializationContext context) {
        throw new IllegalArgumentException(
                "must have a value, as null would delete it: leave the field out to keep it");
    }
}
