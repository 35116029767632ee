package dev.equipoise.app;

import dev.equipoise.app.account.SessionNames;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import io.swagger.v3.oas.models.servers.Server;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Describes the service as a whole in the OpenAPI description: title, server and authentication.
 */
@Configuration(proxyBeanMethods = false)
class ApiDescription {

    static final String BEARER = "bearer";
    private static final String SESSION = "session";

    @Bean
    OpenAPI openApi() {
        return new OpenAPI()
                .info(new Info().title("Equipoise").version("v1"))
                .servers(List.of(new Server().url("/")))
                .addSecurityItem(new SecurityRequirement().addList(BEARER))
                .addSecurityItem(new SecurityRequirement().addList(SESSION))
                .components(
                        new Components()
                                .addSecuritySchemes(BEARER, bearer())
                                .addSecuritySchemes(SESSION, session()));
    }

    private static SecurityScheme bearer() {
        return new SecurityScheme().type(SecurityScheme.Type.HTTP).scheme(BEARER);
    }

    private static SecurityScheme session() {
        return new SecurityScheme()
                .type(SecurityScheme.Type.APIKEY)
                .in(SecurityScheme.In.COOKIE)
                .name(SessionNames.COOKIE);
    }
}
