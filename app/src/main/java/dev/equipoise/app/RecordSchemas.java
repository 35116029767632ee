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
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
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
import org.springdoc.core.providers.JavadocProvider;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Component;

/**
 * Completes the schemas of records in the OpenAPI description: every component is required and has
 * the text of its {@code @param}, a nullable one says so, and a sealed interface is one of its
 * cases, identified by its discriminator.
 */
@Component
class RecordSchemas implements ModelConverter {

    private final JavadocProvider javadoc;

    RecordSchemas(JavadocProvider javadoc) {
        this.javadoc = javadoc;
    }

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

    private void describe(Class<?> raw, Schema<?> model, ModelConverterContext context) {
        if (raw.isRecord()) {
            describeRecord(raw, model);
        } else if (raw.isInterface() && raw.isAnnotationPresent(JsonSubTypes.class)) {
            describeCases(raw, model, context);
        }
    }

    private void describeRecord(Class<?> raw, Schema<?> model) {
        describe(model, javadoc.getClassJavadoc(raw));
        if (model.getProperties() == null) {
            return;
        }
        Set<String> required = new LinkedHashSet<>();
        for (RecordComponent component : components(raw).toList()) {
            Schema<?> property = (Schema<?>) model.getProperties().get(component.getName());
            if (property != null) {
                if (isAlwaysThere(component)) {
                    required.add(component.getName());
                }
                model.getProperties().put(component.getName(), described(component, property));
            }
        }
        model.setRequired(List.copyOf(required));
    }

    private Schema<?> described(RecordComponent component, Schema<?> property) {
        if (component.getAnnotatedType() instanceof AnnotatedParameterizedType type
                && property.getAdditionalProperties() instanceof Schema<?> values
                && isNullable(type.getAnnotatedActualTypeArguments()[1])) {
            property.setAdditionalProperties(orNull(values));
        }
        boolean mayBeNull = isAlwaysThere(component) && isNullable(component.getAnnotatedType());
        Schema<?> described = mayBeNull ? orNull(property) : property;
        describe(described, text(component));
        return described;
    }

    private static void describe(Schema<?> schema, String text) {
        if (!text.isEmpty()) {
            schema.setDescription(text);
        }
    }

    private static boolean isNullable(AnnotatedElement type) {
        return type.isAnnotationPresent(Nullable.class);
    }

    /** Returns the text of the component's {@code @param}, else the first sentence of its type. */
    private String text(RecordComponent component) {
        String own =
                javadoc.getRecordClassParamJavadoc(component.getDeclaringRecord())
                        .getOrDefault(component.getName(), "");
        return own.isEmpty()
                ? javadoc.getFirstSentence(javadoc.getClassJavadoc(component.getType()))
                : own;
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

    private void describeCases(Class<?> raw, Schema<?> model, ModelConverterContext context) {
        describe(model, javadoc.getClassJavadoc(raw));
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
            Schema<?> record = described(subtype, property, components);
            context.defineModel(name, record);
            if (components != null) {
                replace(components, record);
            }
            String reference = "#/components/schemas/" + name;
            discriminator.mapping(subtype.name(), reference);
            choice.addOneOfItem(new Schema<>().$ref(reference));
        }
        empty(model);
        model.setOneOf(choice.getOneOf());
        model.setDiscriminator(discriminator);
    }

    /**
     * Replaces the schema of a case that something else refers to. The library lets it extend its
     * interface; but the interface is one of its cases, so that a generated client would have a
     * type that extends itself.
     */
    private static void replace(Schema<?> model, Schema<?> by) {
        model.setAllOf(null);
        model.setTypes(by.getTypes());
        model.setDescription(by.getDescription());
        model.setProperties(by.getProperties());
        model.setRequired(by.getRequired());
    }

    private static void empty(Schema<?> model) {
        model.setType(null);
        model.setTypes(null);
        model.setProperties(null);
        model.setRequired(null);
    }

    private Schema<?> described(
            JsonSubTypes.Type subtype, String property, @Nullable Schema<?> components) {
        Schema<?> record = new Schema<>();
        record.addType("object");
        record.addProperty(
                property,
                new StringSchema()
                        ._enum(List.of(subtype.name()))
                        .description("Kind of the object: always `%s`".formatted(subtype.name())));
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
