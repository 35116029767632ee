package dev.equipoise.app.account;

import jakarta.servlet.DispatcherType;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AuthorizeHttpRequestsConfigurer;

/**
 * The rules that tell which kind of caller may use which path. The first rule that matches a
 * request decides.
 */
final class PathRules {

    private static final String API = "/api/v1";
    private static final String ADMINISTRATOR = "ADMINISTRATOR";

    /** Paths that tell only whether the service is healthy. */
    private static final String[] HEALTH = {
        "/actuator/health", "/actuator/health/liveness", "/actuator/health/readiness"
    };

    /** Changes of workers, and measurements, which run before all queued runs of all projects. */
    private static final String[] WORKER_CHANGES = {
        API + "/workers/*/profiles",
        API + "/workers/*/cordon",
        API + "/workers/*/uncordon",
        API + "/workers/*/drain",
        API + "/workers/*/expel",
        API + "/profiles/*/cancel",
        API + "/links/measurements",
        API + "/links/measurements/*/cancel"
    };

    private final AuthorizeHttpRequestsConfigurer<HttpSecurity>
                    .AuthorizationManagerRequestMatcherRegistry
            rules;

    PathRules(
            AuthorizeHttpRequestsConfigurer<HttpSecurity>.AuthorizationManagerRequestMatcherRegistry
                    rules) {
        this.rules = rules;
    }

    void add() {
        rules.dispatcherTypeMatchers(DispatcherType.ERROR).permitAll();
        addAgents();
        addSignIn();
        addAdministration();
        addOthers();
    }

    private void addAgents() {
        rules.requestMatchers(HttpMethod.POST, API + "/agents")
                .hasAnyRole("NEWCOMER", "AGENT", "DEPARTED_AGENT")
                .requestMatchers(API + "/agents/**", API + "/assignments/**")
                .hasRole("AGENT");
    }

    private void addSignIn() {
        rules.requestMatchers(HttpMethod.POST, SessionCookie.SIGN_IN)
                .permitAll()
                .requestMatchers(HttpMethod.GET, API + "/sign-in")
                .permitAll();
    }

    private void addAdministration() {
        rules.requestMatchers(HttpMethod.POST, API + "/projects")
                .hasRole(ADMINISTRATOR)
                .requestMatchers(
                        API + "/users",
                        API + "/users/**",
                        API + "/join-tokens",
                        API + "/join-tokens/**")
                .hasRole(ADMINISTRATOR)
                .requestMatchers(HttpMethod.DELETE, API + "/workers/*")
                .hasRole(ADMINISTRATOR)
                .requestMatchers(HttpMethod.PATCH, API + "/workers/*")
                .hasRole(ADMINISTRATOR)
                .requestMatchers(HttpMethod.POST, WORKER_CHANGES)
                .hasRole(ADMINISTRATOR);
    }

    private void addOthers() {
        rules.requestMatchers(
                        HttpMethod.GET,
                        "/api/openapi",
                        API + "/version",
                        API + "/schema/definition")
                .permitAll()
                .requestMatchers(HttpMethod.GET, HEALTH)
                .permitAll()
                .requestMatchers("/actuator/**")
                .hasRole(ADMINISTRATOR)
                .requestMatchers("/api/**")
                .hasRole("USER")
                .requestMatchers(HttpMethod.GET, "/**")
                .permitAll()
                .anyRequest()
                .denyAll();
    }
}
