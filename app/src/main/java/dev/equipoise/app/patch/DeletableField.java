package dev.equipoise.app.patch;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;

/**
 * Field of a merge patch that {@code null} deletes: it gets the empty value of its type, such as 0,
 * an empty text or an empty set.
 */
public final class DeletableField extends PatchedField {

    public DeletableField() {
        this(null);
    }

    private DeletableField(@Nullable ValueDeserializer<Object> values) {
        super(values);
    }

    @Override
    PatchedField of(ValueDeserializer<Object> fieldValues) {
        return new DeletableField(fieldValues);
    }

    @Override
    public Object getNullValue(DeserializationContext context) {
        return values().getEmptyValue(context);
    }
}
