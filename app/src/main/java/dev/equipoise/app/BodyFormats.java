package dev.equipoise.app;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.http.converter.autoconfigure.ServerHttpMessageConvertersCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ResolvableType;
import org.springframework.http.MediaType;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;
import org.springframework.http.converter.yaml.JacksonYamlHttpMessageConverter;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Bodies are JSON without fields that nobody reads; those that people write by hand, the
 * definitions, may be YAML as well.
 */
@Configuration(proxyBeanMethods = false)
class BodyFormats {

    /**
     * A misspelt field would otherwise count as one that was left out, which may mean something
     * else altogether. Bodies alone are read so: what is stored may be of an older version.
     */
    @Bean
    ServerHttpMessageConvertersCustomizer knownFieldsAlone(JsonMapper json) {
        JsonMapper strict =
                json.rebuild().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
        return converters ->
                converters.withJsonConverter(new JacksonJsonHttpMessageConverter(strict));
    }

    @Bean
    ServerHttpMessageConvertersCustomizer yamlForDefinitions() {
        return converters -> converters.withYamlConverter(new Definitions());
    }

    /** A definition is read as a tree, and nothing else is. */
    private static final class Definitions extends JacksonYamlHttpMessageConverter {

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
