package dev.equipoise.app;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.http.converter.autoconfigure.ServerHttpMessageConvertersCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ResolvableType;
import org.springframework.http.MediaType;
import org.springframework.http.converter.yaml.JacksonYamlHttpMessageConverter;
import tools.jackson.databind.JsonNode;

/** Bodies are JSON; those that people write by hand, the definitions, may be YAML as well. */
@Configuration(proxyBeanMethods = false)
class BodyFormats {

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
