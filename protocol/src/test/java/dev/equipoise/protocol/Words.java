package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Elements of messages: records, variants of sealed interfaces, and constants of enums. */
final class Words {

    private static final String PROTOCOL = "dev.equipoise.protocol";
    private static final Set<Class<?>> MESSAGES = Set.of(AgentMessage.class, ServiceMessage.class);

    private Words() {}

    /** Returns all protocol types that a message may contain. */
    static Set<Class<?>> typesIn(Class<?> message) {
        Set<Class<?>> types = new LinkedHashSet<>();
        collect(message, types);
        return types;
    }

    private static void collect(Type type, Set<Class<?>> types) {
        if (type instanceof ParameterizedType generic) {
            Stream.of(generic.getActualTypeArguments()).forEach(it -> collect(it, types));
        }
        if (!(type instanceof Class<?> named)
                || !named.getPackageName().startsWith(PROTOCOL)
                || !types.add(named)) {
            return;
        }
        if (named.isSealed()) {
            Stream.of(named.getPermittedSubclasses()).forEach(it -> collect(it, types));
        }
        if (named.isRecord()) {
            Stream.of(named.getRecordComponents())
                    .map(RecordComponent::getGenericType)
                    .forEach(it -> collect(it, types));
        }
    }

    /**
     * Returns whether a type has its own recording: a message, a sealed type with a discriminator
     * field, or an enum.
     */
    static boolean isRecorded(Class<?> type) {
        return type.isEnum()
                || (type.isSealed() && type.isAnnotationPresent(JsonTypeInfo.class))
                || Stream.of(type.getInterfaces()).anyMatch(MESSAGES::contains);
    }

    /** Returns what some recording must contain; types that are only read are exempt. */
    static Stream<Object> toBeRecorded(Class<?> type) {
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants());
        }
        return type.isRecord() && type != AgentEvent.Unknown.class
                ? Stream.of(type)
                : Stream.empty();
    }

    /** Returns the record types and constants of which a value consists. */
    static Stream<Object> in(Object value) {
        return switch (value) {
            case Record record ->
                    Stream.concat(
                            Stream.of(record.getClass()),
                            Stream.of(record.getClass().getRecordComponents())
                                    .map(it -> component(record, it))
                                    .flatMap(Words::in));
            case Collection<?> some -> some.stream().flatMap(Words::in);
            case Map<?, ?> some -> some.values().stream().flatMap(Words::in);
            case Enum<?> constant -> Stream.of(constant);
            case null, default -> Stream.empty();
        };
    }

    private static Object component(Record record, RecordComponent component) {
        try {
            var accessor = component.getAccessor();
            accessor.setAccessible(true);
            return accessor.invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }
}
