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
 * Bodies are JSON without fields that nobody reads, unless agents say them, or that stand there
 * twice, with texts that can be stored; those that people write by hand, the definitions, may be
 * YAML as well.
 */
@Configuration(proxyBeanMethods = false)
class BodyFormats {

    /**
     * A misspelt field would otherwise count as one that was left out, which may mean something
     * else altogether. Bodies alone are read so: what is stored may be of an older version. Those
     * that agents alone send may be of a newer one, and say more.
     */
    @Bean
    ServerHttpMessageConvertersCustomizer knownFieldsAlone(
            ObjectProvider<JsonMapperBuilderCustomizer> customizers) {
        JsonMapper.Builder strict =
                JsonMapper.builder(
                        new StrictJson(
                                JsonFactory.builder()
                                        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)));
        customizers.orderedStream().forEach(it -> it.customize(strict));
        strict.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .withCoercionConfig(LogicalType.Textual, BodyFormats::textsAlone);
        JsonMapper ofPeople = strict.build();
        JsonMapper ofAgents =
                ofPeople.rebuild()
                        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                        .build();
        var converter = new JacksonJsonHttpMessageConverter(ofPeople);
        converter.registerMappersForType(
                AgentMessage.class,
                mappers ->
                        converter
                                .getSupportedMediaTypes()
                                .forEach(type -> mappers.put(type, ofAgents)));
        return converters -> converters.withJsonConverter(converter);
    }

    /** A number is no text. */
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

    /** A definition is read as a tree, and nothing else is. */
    private static final class Definitions extends JacksonYamlHttpMessageConverter {

        Definitions() {
            super(
                    YAMLMapper.builder(
                            new StrictYaml(
                                    YAMLFactory.builder()
                                            .enable(
                                                    StreamReadFeature
                                                            .STRICT_DUPLICATE_DETECTION))));
        }

        @Override
        public boolean canRead(ResolvableType type, @Nullable MediaType mediaType) {
            return isDefinition(type.toClass()) && super.canRead(type, mediaType);
        }

        /** What errors tell: not that YAML would do where it does not. */
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
