package dev.equipoise.app.patch;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;

/** Reads values of a field as without a patch; a field that is left out is null. */
abstract class PatchedField extends ValueDeserializer<Object> {

    /** Null until the field is known. */
    private final @Nullable ValueDeserializer<Object> values;

    PatchedField(@Nullable ValueDeserializer<Object> values) {
        this.values = values;
    }

    /** Returns this deserializer for a field whose values another one reads. */
    abstract PatchedField of(ValueDeserializer<Object> fieldValues);

    ValueDeserializer<Object> values() {
        return Objects.requireNonNull(values, "a patched field belongs to a record");
    }

    @Override
    public ValueDeserializer<?> createContextual(
            DeserializationContext context, BeanProperty field) {
        return of(context.findContextualValueDeserializer(field.getType(), field));
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context) {
        return values().deserialize(parser, context);
    }

    @Override
    public @Nullable Object getAbsentValue(DeserializationContext context) {
        return null;
    }
}
