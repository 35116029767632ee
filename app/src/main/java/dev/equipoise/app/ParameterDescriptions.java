package dev.equipoise.app;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.parameters.Parameter;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;

/**
 * Describes the parameters that many operations have. A {@code @param} of an operation takes
 * precedence.
 */
@Component
class ParameterDescriptions implements OpenApiCustomizer {

    private static final Map<String, String> SHARED =
            Map.of(
                    "cursor",
                    "Cursor of the page: `next` of the page before; without it, the first page",
                    "limit",
                    "Most items of the page",
                    HttpHeaders.IF_MATCH,
                    "ETag that the caller has seen; without it, the change applies to any version");

    @Override
    public void customise(OpenAPI api) {
        api.getPaths()
                .forEach((path, item) ->
                        item.readOperations().stream()
                                .flatMap(it -> parameters(it).stream())
                                .filter(it -> isBlank(it.getDescription()))
                                .forEach(it -> it.setDescription(description(path, it))));
    }

    private static List<Parameter> parameters(Operation operation) {
        return Objects.requireNonNullElse(operation.getParameters(), List.of());
    }

    private static boolean isBlank(@Nullable String text) {
        return text == null || text.isBlank();
    }

    /** Returns null for a parameter that only its operation can describe. */
    private static @Nullable String description(String path, Parameter parameter) {
        return "path".equals(parameter.getIn())
                ? "Id of the " + resource(path, parameter.getName())
                : SHARED.get(parameter.getName());
    }

    /** Returns the singular of the segment before {@code {id}}; else the name of the parameter. */
    private static String resource(String path, String parameter) {
        if (!parameter.equals("id")) {
            return parameter;
        }
        String collection = path.substring(0, path.indexOf("/{id}"));
        String plural = collection.substring(collection.lastIndexOf('/') + 1);
        return plural.substring(0, plural.length() - 1).replace('-', ' ');
    }
}
