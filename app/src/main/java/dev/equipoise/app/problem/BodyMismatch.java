package dev.equipoise.app.problem;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.exc.InvalidTypeIdException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/**
 * Describes why a body does not fit its type, in terms of JSON: the messages of the parser name
 * classes.
 */
public final class BodyMismatch {

    private static final Set<Class<?>> WHOLE =
            Set.of(int.class, Integer.class, long.class, Long.class);
    private static final Set<Class<?>> REAL = Set.of(double.class, Double.class);
    private static final Set<Class<?>> FLAG = Set.of(boolean.class, Boolean.class);

    private BodyMismatch() {}

    /** Returns the broken rule and its place. */
    public static Violation violation(DatabindException mismatch) {
        return new Violation(pointer(mismatch), rule(mismatch), null);
    }

    private static String pointer(DatabindException mismatch) {
        StringBuilder pointer = new StringBuilder();
        mismatch.getPath()
                .forEach(step ->
                        pointer.append('/')
                                .append(
                                        step.getPropertyName() == null
                                                ? step.getIndex()
                                                : step.getPropertyName()));
        return pointer.toString();
    }

    /** Returns the rule that a message's own check states, or the expected type. */
    private static String rule(DatabindException mismatch) {
        return switch (mismatch) {
            case UnrecognizedPropertyException unknown ->
                    Suggestion.unknown("field", unknown.getPropertyName(), fields(unknown));
            case DatabindException wrapped
                    when wrapped.getCause() instanceof IllegalArgumentException rule ->
                    String.valueOf(rule.getMessage());
            case DatabindException wrapped
                    when wrapped.getCause() instanceof NullPointerException ->
                    "lacks a field, or has null where a value is required";
            case InvalidTypeIdException unknown ->
                    unknown.getTypeId() == null
                            ? "must state its kind"
                            : "has an unknown kind: " + unknown.getTypeId();
            case MismatchedInputException other -> "must be " + expected(other.getTargetType());
            default -> "does not match the expected type";
        };
    }

    private static List<String> fields(UnrecognizedPropertyException unknown) {
        Collection<Object> known = unknown.getKnownPropertyIds();
        return known == null ? List.of() : known.stream().map(String::valueOf).sorted().toList();
    }

    /** Describes the values of a type: {@code a whole number}. */
    static String expected(@Nullable Class<?> type) {
        if (type == null) {
            return "of another type";
        }
        if (WHOLE.contains(type)) {
            return "a whole number";
        }
        if (REAL.contains(type)) {
            return "a number";
        }
        if (FLAG.contains(type)) {
            return "true or false";
        }
        if (type.equals(String.class)) {
            return "a text";
        }
        if (type.equals(UUID.class)) {
            return "a UUID";
        }
        if (type.equals(Instant.class)) {
            return "a time like 2026-11-22T10:00:00Z";
        }
        if (type.isEnum()) {
            return "one of " + names(type);
        }
        if (Collection.class.isAssignableFrom(type)) {
            return "a list";
        }
        return value(type) == null ? "an object" : expected(value(type));
    }

    /** Returns the type of the only component of a record that is serialized as that component. */
    private static @Nullable Class<?> value(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        return components != null
                        && components.length == 1
                        && components[0].getAccessor().isAnnotationPresent(JsonValue.class)
                ? components[0].getType()
                : null;
    }

    /** Returns the names of an enum's constants in JSON. */
    public static List<String> names(Class<?> type) {
        return Arrays.stream(type.getEnumConstants()).map(it -> name((Enum<?>) it)).toList();
    }

    /** Returns the name of a constant in JSON. */
    static String name(Enum<?> constant) {
        try {
            JsonProperty given =
                    constant.getDeclaringClass()
                            .getField(constant.name())
                            .getAnnotation(JsonProperty.class);
            return given == null ? constant.name() : given.value();
        } catch (NoSuchFieldException e) {
            throw new LinkageError(constant.name(), e);
        }
    }
}
