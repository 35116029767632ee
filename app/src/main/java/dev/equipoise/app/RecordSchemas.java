package dev.equipoise.app;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.util.Json;
import io.swagger.v3.oas.models.media.Discriminator;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Component;

/**
 * Completes the schemas of records in the OpenAPI description: every component is required, a
 * nullable one says so, and a sealed interface is one of its cases, identified by its
 * discriminator.
 */
@Component
class RecordSchemas implements ModelConverter {

    @Override
    public @Nullable Schema<?> resolve(
            AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> chain) {
        if (!chain.hasNext()) {
            return null;
        }
        Schema<?> schema = chain.next().resolve(type, context, chain);
        Class<?> raw = Json.mapper().constructType(type.getType()).getRawClass();
        Schema<?> model = defined(schema, context);
        if (model != null) {
            describe(raw, model, context);
        }
        return schema;
    }

    private static @Nullable Schema<?> defined(
            @Nullable Schema<?> schema, ModelConverterContext context) {
        if (schema == null || schema.get$ref() == null) {
            return schema;
        }
        String reference = schema.get$ref();
        return context.getDefinedModels().get(reference.substring(reference.lastIndexOf('/') + 1));
    }

    private static void describe(Class<?> raw, Schema<?> model, ModelConverterContext context) {
        if (raw.isRecord()) {
            describeRecord(raw, model);
        } else if (raw.isInterface() && raw.isAnnotationPresent(JsonSubTypes.class)) {
            describeCases(raw, model, context);
        }
    }

    private static void describeRecord(Class<?> raw, Schema<?> model) {
        if (model.getProperties() == null) {
            return;
        }
        Set<String> required = new LinkedHashSet<>();
        for (RecordComponent component : components(raw).toList()) {
            Schema<?> property = (Schema<?>) model.getProperties().get(component.getName());
            if (property != null && isAlwaysThere(component)) {
                required.add(component.getName());
                if (component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
                    model.getProperties().put(component.getName(), orNull(property));
                }
            }
        }
        model.setRequired(List.copyOf(required));
    }

    /**
     * Returns the components of a record, with those of its unwrapped components in their place.
     */
    private static Stream<RecordComponent> components(Class<?> raw) {
        return Arrays.stream(raw.getRecordComponents())
                .flatMap(it ->
                        it.getAccessor().isAnnotationPresent(JsonUnwrapped.class)
                                ? components(it.getType())
                                : Stream.of(it));
    }

    private static boolean isAlwaysThere(RecordComponent component) {
        JsonInclude own =
                AnnotatedElementUtils.findMergedAnnotation(
                        component.getAccessor(), JsonInclude.class);
        JsonInclude inclusion =
                own != null ? own : component.getDeclaringRecord().getAnnotation(JsonInclude.class);
        return inclusion == null || inclusion.value() == JsonInclude.Include.ALWAYS;
    }

    private static Schema<?> orNull(Schema<?> schema) {
        if (schema.get$ref() != null) {
            Schema<?> nothing = new Schema<>();
            nothing.addType("null");
            return new Schema<>().oneOf(List.of(schema, nothing));
        }
        if (schema.getOneOf() == null && schema.getTypes() != null) {
            schema.addType("null");
            if (schema.getEnum() != null && !schema.getEnum().contains(null)) {
                // The type alone does not allow null: an enum lists every value.
                schema.addEnumItemObject(null);
            }
        }
        return schema;
    }

    private static void describeCases(
            Class<?> raw, Schema<?> model, ModelConverterContext context) {
        if (raw.getAnnotation(JsonTypeInfo.class).include() == JsonTypeInfo.As.WRAPPER_OBJECT) {
            // A wrapper object, whose only field names the case, has no discriminator: it stays
            // open.
            empty(model);
            return;
        }
        String property = raw.getAnnotation(JsonTypeInfo.class).property();
        Discriminator discriminator = new Discriminator().propertyName(property);
        Schema<?> choice = new Schema<>();
        for (JsonSubTypes.Type subtype : raw.getAnnotation(JsonSubTypes.class).value()) {
            String name = raw.getSimpleName() + "." + subtype.value().getSimpleName();
            Schema<?> components =
                    defined(context.resolve(new AnnotatedType(subtype.value())), context);
            context.defineModel(name, described(subtype, property, components));
            String reference = "#/components/schemas/" + name;
            discriminator.mapping(subtype.name(), reference);
            choice.addOneOfItem(new Schema<>().$ref(reference));
        }
        empty(model);
        model.setOneOf(choice.getOneOf());
        model.setDiscriminator(discriminator);
    }

    private static void empty(Schema<?> model) {
        model.setType(null);
        model.setTypes(null);
        model.setProperties(null);
        model.setRequired(null);
    }

    private static Schema<?> described(
            JsonSubTypes.Type subtype, String property, @Nullable Schema<?> components) {
        Schema<?> record = new Schema<>();
        record.addType("object");
        record.addProperty(property, new StringSchema()._enum(List.of(subtype.name())));
        properties(components).forEach(record::addProperty);
        describeRecord(subtype.value(), record);
        record.addRequiredItem(property);
        return record;
    }

    /**
     * Returns the properties of a schema, including those of a schema that extends its interface's.
     */
    @SuppressWarnings("rawtypes") // as the library has it
    private static Map<String, Schema> properties(@Nullable Schema<?> schema) {
        Map<String, Schema> properties = new LinkedHashMap<>();
        if (schema != null && schema.getProperties() != null) {
            properties.putAll(schema.getProperties());
        }
        if (schema != null && schema.getAllOf() != null) {
            schema.getAllOf().forEach(part -> properties.putAll(properties(part)));
        }
        return properties;
    }
}
