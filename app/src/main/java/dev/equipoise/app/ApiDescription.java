package dev.equipoise.app;

import dev.equipoise.app.account.SessionNames;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.info.Contact;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import io.swagger.v3.oas.models.servers.Server;
import io.swagger.v3.oas.models.tags.Tag;
import jakarta.servlet.ServletContext;
import java.util.List;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Describes the service as a whole in the OpenAPI description: title, tags, server and
 * authentication.
 */
@Configuration(proxyBeanMethods = false)
class ApiDescription {

    static final String BEARER = "bearer";
    private static final String SESSION = "session";

    private static final List<Tag> TAGS =
            List.of(
                    tag("Sign-in", "Sessions of browsers, and the caller's own account"),
                    tag("Users", "Accounts of the lab"),
                    tag("Tokens", "Tokens of users and service accounts, and join tokens"),
                    tag("Audit", "Changes that people have made"),
                    tag("Projects", "Projects with their members, quotas and usage"),
                    tag("Webhooks", "Addresses that get the events of a project, and deliveries"),
                    tag("Experiments", "Definitions with their versions, bundles and exports"),
                    tag("Runs", "Runs: queue, change, and what they leave behind"),
                    tag("Metrics", "Metrics of runs and their downsampled curves"),
                    tag("Comparisons", "Runs compared with one another"),
                    tag("Plans", "Predictions for configurations that have not run"),
                    tag("Catalog", "Presets, data sets and networks that definitions may name"),
                    tag("Workers", "Workers: labels, cordon, drain, expulsion"),
                    tag("Profiles", "Measured speeds of workers"),
                    tag("Links", "Measured costs of the network between workers"),
                    tag("Agents", "Calls of agents: registration, assignments, reports, files"),
                    tag("Service", "Version of the service"));

    @Bean
    OpenAPI openApi(ServletContext service) {
        String path = service.getContextPath();
        return new OpenAPI()
                .info(info())
                .servers(List.of(new Server().url(path.isEmpty() ? "/" : path)))
                .addSecurityItem(new SecurityRequirement().addList(BEARER))
                .addSecurityItem(new SecurityRequirement().addList(SESSION))
                .components(
                        new Components()
                                .addSecuritySchemes(BEARER, bearer())
                                .addSecuritySchemes(SESSION, session()));
    }

    private static Info info() {
        return new Info()
                .title("Equipoise")
                .version("v1")
                .description(
                        "API of a lab for distributed training: projects, experiments, runs and"
                                + " their figures, workers and agents. The page docs/api.md of the"
                                + " repository has its conventions.")
                .contact(new Contact().name("The developers of Equipoise"))
                .license(
                        new License()
                                .name("Apache License 2.0")
                                .url("https://www.apache.org/licenses/LICENSE-2.0"));
    }

    /** Tags of the operations, one for each kind of resource. */
    @Bean
    OpenApiCustomizer tags() {
        return api -> api.setTags(TAGS);
    }

    private static Tag tag(String name, String description) {
        return new Tag().name(name).description(description);
    }

    private static SecurityScheme bearer() {
        return new SecurityScheme()
                .type(SecurityScheme.Type.HTTP)
                .scheme(BEARER)
                .description("Token of a user, a service account, a new agent or a worker");
    }

    private static SecurityScheme session() {
        return new SecurityScheme()
                .description("Cookie of a session, which POST /session sets")
                .type(SecurityScheme.Type.APIKEY)
                .in(SecurityScheme.In.COOKIE)
                .name(SessionNames.COOKIE);
    }
}
