package dev.equipoise.app;

import dev.equipoise.protocol.AgentMessage;
import java.io.InputStream;
import java.io.Reader;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.http.converter.autoconfigure.ServerHttpMessageConvertersCustomizer;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ResolvableType;
import org.springframework.http.MediaType;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;
import org.springframework.http.converter.yaml.JacksonYamlHttpMessageConverter;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonFactoryBuilder;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.MutableCoercionConfig;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLFactoryBuilder;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Configures how request bodies are parsed. Bodies are JSON. Unknown fields are errors except in
 * messages of agents, duplicate fields are always errors, and all texts must be storable.
 * Definitions, which people write by hand, may also be YAML.
 */
@Configuration(proxyBeanMethods = false)
class BodyFormats {

    /**
     * The maximum number of tokens of a definition: values, names, and beginnings and ends of
     * objects and lists. A tree takes about 100 bytes for each.
     */
    static final int MAX_TOKENS = 50_000;

    private static final StreamReadConstraints FEW_TOKENS =
            StreamReadConstraints.builder().maxTokenCount(MAX_TOKENS).build();

    /**
     * Rejects unknown fields, since a misspelled field would otherwise count as an omitted one,
     * which may mean something else. Stored JSON is not read this strictly: it may come from an
     * older version. Messages of agents may come from a newer version and contain more fields.
     */
    @Bean
    ServerHttpMessageConvertersCustomizer knownFieldsAlone(
            ObjectProvider<JsonMapperBuilderCustomizer> customizers) {
        JsonMapper userMapper = strict(customizers, StreamReadConstraints.defaults());
        JsonMapper agentMapper =
                userMapper
                        .rebuild()
                        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                        .build();
        var converter = new PlainJson(userMapper);
        register(converter, AgentMessage.class, agentMapper);
        register(converter, JsonNode.class, strict(customizers, FEW_TOKENS));
        return converters -> converters.withJsonConverter(converter);
    }

    /**
     * Writes plain JSON to a caller who accepts any kind of JSON. Otherwise a caller who accepts
     * problems alone would get everything under the name of a problem.
     */
    private static final class PlainJson extends JacksonJsonHttpMessageConverter {

        PlainJson(JsonMapper mapper) {
            super(mapper);
        }

        @Override
        public List<MediaType> getSupportedMediaTypes(Class<?> type) {
            return List.of(MediaType.APPLICATION_JSON);
        }
    }

    private static void register(
            JacksonJsonHttpMessageConverter converter, Class<?> type, JsonMapper mapper) {
        converter.registerMappersForType(
                type,
                mappers ->
                        converter
                                .getSupportedMediaTypes()
                                .forEach(mediaType -> mappers.put(mediaType, mapper)));
    }

    private static JsonMapper strict(
            ObjectProvider<JsonMapperBuilderCustomizer> customizers,
            StreamReadConstraints constraints) {
        JsonMapper.Builder strict =
                JsonMapper.builder(
                        new StrictJson(
                                JsonFactory.builder()
                                        .streamReadConstraints(constraints)
                                        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)));
        customizers.orderedStream().forEach(it -> it.customize(strict));
        return strict.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .withCoercionConfig(LogicalType.Textual, BodyFormats::textsAlone)
                .build();
    }

    /** Rejects numbers and booleans where the field is a text. */
    private static void textsAlone(MutableCoercionConfig texts) {
        Stream.of(CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean)
                .forEach(shape -> texts.setCoercion(shape, CoercionAction.Fail));
    }

    @Bean
    ServerHttpMessageConvertersCustomizer yamlForDefinitions() {
        return converters -> converters.withYamlConverter(new Definitions());
    }

    private static final class StrictJson extends JsonFactory {

        StrictJson(JsonFactoryBuilder builder) {
            super(builder);
        }

        @Override
        public JsonParser createParser(ObjectReadContext context, InputStream body) {
            return new StorableTexts(super.createParser(context, body));
        }

        @Override
        public JsonParser createParser(ObjectReadContext context, Reader body) {
            return new StorableTexts(super.createParser(context, body));
        }
    }

    private static final class StrictYaml extends YAMLFactory {

        StrictYaml(YAMLFactoryBuilder builder) {
            super(builder);
        }

        @Override
        public JsonParser createParser(ObjectReadContext context, InputStream body) {
            return new StorableTexts(super.createParser(context, body));
        }

        @Override
        public JsonParser createParser(ObjectReadContext context, Reader body) {
            return new StorableTexts(super.createParser(context, body));
        }
    }

    /** Reads YAML only for definitions, which alone are parsed as a tree. */
    private static final class Definitions extends JacksonYamlHttpMessageConverter {

        Definitions() {
            super(
                    YAMLMapper.builder(
                            new StrictYaml(
                                    YAMLFactory.builder()
                                            .streamReadConstraints(FEW_TOKENS)
                                            .enable(
                                                    StreamReadFeature
                                                            .STRICT_DUPLICATE_DETECTION))));
        }

        @Override
        public boolean canRead(ResolvableType type, @Nullable MediaType mediaType) {
            return isDefinition(type.toClass()) && super.canRead(type, mediaType);
        }

        /** Lists YAML only for definitions, so that error responses do not offer it elsewhere. */
        @Override
        public List<MediaType> getSupportedMediaTypes(Class<?> type) {
            return isDefinition(type) ? super.getSupportedMediaTypes(type) : List.of();
        }

        @Override
        public boolean canWrite(
                ResolvableType type, Class<?> valueClass, @Nullable MediaType mediaType) {
            return false;
        }

        private static boolean isDefinition(Class<?> type) {
            return JsonNode.class.equals(type);
        }
    }
}
