package dev.equipoise.app;

import dev.equipoise.app.problem.ProblemBody;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import io.swagger.v3.oas.models.servers.Server;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the OpenAPI description says beyond the controllers. */
@Configuration(proxyBeanMethods = false)
class ApiDescription {

    private static final String BEARER = "bearer";

    /** Statuses of what makes something. */
    private static final Set<String> MAKING = Set.of("201", "202");

    @Bean
    OpenAPI openApi() {
        return new OpenAPI()
                .info(new Info().title("Equipoise").version("v1"))
                .servers(List.of(new Server().url("/")))
                .addSecurityItem(new SecurityRequirement().addList(BEARER))
                .components(
                        new Components()
                                .addSecuritySchemes(
                                        BEARER,
                                        new SecurityScheme()
                                                .type(SecurityScheme.Type.HTTP)
                                                .scheme(BEARER)));
    }

    /** Every call may answer with a problem. */
    @Bean
    OpenApiCustomizer problems() {
        return api -> {
            ModelConverters.getInstance(true)
                    .readAll(ProblemBody.class)
                    .forEach(api.getComponents()::addSchemas);
            api.getPaths().values().stream()
                    .flatMap(path -> path.readOperations().stream())
                    .forEach(operation ->
                            operation.getResponses().addApiResponse("default", problem()));
        };
    }

    /** What a user makes may be asked for again under the same key; agents join once. */
    @Bean
    OpenApiCustomizer idempotency() {
        return api ->
                api.getPaths().entrySet().stream()
                        .filter(path -> !path.getKey().endsWith("/agents"))
                        .map(path -> path.getValue().getPost())
                        .filter(Objects::nonNull)
                        .filter(post -> MAKING.stream().anyMatch(post.getResponses()::containsKey))
                        .forEach(post ->
                                post.addParametersItem(
                                        new HeaderParameter()
                                                .name("Idempotency-Key")
                                                .description(
                                                        "of the caller's choice; the same request"
                                                                + " under the same key is done once"
                                                                + " in a day, and answered as before")
                                                .schema(
                                                        new StringSchema()
                                                                .minLength(1)
                                                                .maxLength(255))));
    }

    private static ApiResponse problem() {
        return new ApiResponse()
                .description("Any error")
                .content(
                        new Content()
                                .addMediaType(
                                        "application/problem+json",
                                        new MediaType()
                                                .schema(
                                                        new Schema<>()
                                                                .$ref(
                                                                        "#/components/schemas/Problem"))));
    }
}
