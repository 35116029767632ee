package dev.equipoise.app.problem;

import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.GenericConverter;
import org.springframework.stereotype.Component;

/**
 * Reads constants in parameters by their names in JSON, in upper or lower case. An empty text is no
 * constant, as for all other types.
 */
@Component
final class EnumParameters implements GenericConverter {

    @Override
    public Set<ConvertiblePair> getConvertibleTypes() {
        return Set.of(new ConvertiblePair(String.class, Enum.class));
    }

    @Override
    public @Nullable Object convert(
            @Nullable Object source, TypeDescriptor sourceType, TypeDescriptor targetType) {
        String name = source == null ? "" : source.toString().strip();
        return name.isEmpty() ? null : constant(targetType.getType(), name);
    }

    private static Enum<?> constant(Class<?> type, String name) {
        return Arrays.stream(type.getEnumConstants())
                .map(it -> (Enum<?>) it)
                .filter(it -> BodyMismatch.name(it).equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "%s is not one of %s".formatted(name, BodyMismatch.names(type))));
    }
}
