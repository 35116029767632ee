package dev.equipoise.app.account;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.ProblemWriter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.security.SecureRandom;
import org.springframework.boot.actuate.autoconfigure.web.server.ConditionalOnManagementPort;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.config.annotation.web.configurers.LogoutConfigurer;
import org.springframework.security.config.annotation.web.configurers.RequestCacheConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.AuthorizationManagerWebInvocationPrivilegeEvaluator.HttpServletRequestTransformer;
import org.springframework.security.web.access.PathPatternRequestTransformer;
import org.springframework.security.web.csrf.CsrfException;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.csrf.CsrfTokenRequestAttributeHandler;

/** Which kind of caller may reach which path; what belongs to whom is checked in the modules. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({AccountSettings.class, SessionSettings.class, OidcSettings.class})
class SecurityConfiguration {

    private static final String API = "/api/v1";

    /** Whether the service is well, and no more. */
    private static final String[] HEALTH = {
        "/actuator/health", "/actuator/health/liveness", "/actuator/health/readiness"
    };

    /** What programs of the cluster ask, which have no token. */
    private static final String[] OBSERVED = {"/actuator/health/**", "/actuator/prometheus"};

    /** What a page of the service may load; the dashboard's components set styles of their own. */
    private static final String POLICY =
            """
            default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
            img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
            base-uri 'none'; form-action 'self'; frame-ancestors 'none'\
            """;

    /** On a port of its own, which is for the inside of a cluster alone. */
    @Bean
    @Order(0)
    @ConditionalOnManagementPort(ManagementPortType.DIFFERENT)
    SecurityFilterChain management(HttpSecurity http, ManagementPort port) {
        return http.securityMatcher(port)
                .authorizeHttpRequests(it ->
                        it.requestMatchers(HttpMethod.GET, OBSERVED)
                                .permitAll()
                                .anyRequest()
                                .denyAll())
                .sessionManagement(it -> it.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .csrf(CsrfConfigurer::disable)
                .logout(LogoutConfigurer::disable)
                .requestCache(RequestCacheConfigurer::disable)
                .build();
    }

    @Bean
    SecurityFilterChain api(HttpSecurity http, Tokens tokens, ProblemWriter problems) {
        return http.authorizeHttpRequests(it ->
                        it.dispatcherTypeMatchers(DispatcherType.ERROR)
                                .permitAll()
                                .requestMatchers(HttpMethod.POST, API + "/agents")
                                .hasRole("NEWCOMER")
                                .requestMatchers(API + "/agents/**", API + "/assignments/**")
                                .hasRole("AGENT")
                                .requestMatchers(HttpMethod.POST, SessionCookie.SIGN_IN)
                                .permitAll()
                                .requestMatchers(HttpMethod.GET, API + "/sign-in")
                                .permitAll()
                                .requestMatchers(HttpMethod.POST, API + "/projects")
                                .hasRole("ADMINISTRATOR")
                                .requestMatchers(
                                        API + "/users", API + "/users/**", API + "/join-tokens")
                                .hasRole("ADMINISTRATOR")
                                // A profile goes before every queued run, whosesoever it is.
                                .requestMatchers(
                                        HttpMethod.POST,
                                        API + "/workers/*/profiles",
                                        API + "/workers/*/cordon",
                                        API + "/workers/*/uncordon",
                                        API + "/workers/*/drain",
                                        API + "/workers/*/expel",
                                        API + "/profiles/*/cancel",
                                        API + "/links/measurements",
                                        API + "/links/measurements/*/cancel")
                                .hasRole("ADMINISTRATOR")
                                .requestMatchers(HttpMethod.GET, "/api/openapi")
                                .permitAll()
                                .requestMatchers(HttpMethod.GET, HEALTH)
                                .permitAll()
                                .requestMatchers("/actuator/**")
                                .hasRole("ADMINISTRATOR")
                                .requestMatchers("/api/**")
                                .hasRole("USER")
                                .requestMatchers(HttpMethod.GET, "/**")
                                .permitAll()
                                .anyRequest()
                                .denyAll())
                .addFilterBefore(new TokenFilter(tokens, problems), CsrfFilter.class)
                .exceptionHandling(it ->
                        it.authenticationEntryPoint(
                                        (request, response, _) -> {
                                            response.setHeader(
                                                    HttpHeaders.WWW_AUTHENTICATE, "Bearer");
                                            problems.write(
                                                    request,
                                                    response,
                                                    ErrorCode.UNAUTHENTICATED,
                                                    "The request carries no token");
                                        })
                                .accessDeniedHandler((request, response, denied) ->
                                        problems.write(
                                                request,
                                                response,
                                                denied instanceof CsrfException
                                                        ? ErrorCode.CSRF
                                                        : ErrorCode.FORBIDDEN,
                                                denied instanceof CsrfException
                                                        ? "A request that goes by a session carries its "
                                                                + SessionNames.CSRF_HEADER
                                                        : "The caller is not one for this")))
                .headers(it -> it.contentSecurityPolicy(policy -> policy.policyDirectives(POLICY)))
                .sessionManagement(it -> it.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .csrf(it ->
                        it.csrfTokenRepository(new SessionCsrf())
                                .csrfTokenRequestHandler(new CsrfTokenRequestAttributeHandler())
                                .requireCsrfProtectionMatcher(SessionCsrf::isRequired))
                .logout(LogoutConfigurer::disable)
                .requestCache(RequestCacheConfigurer::disable)
                .build();
    }

    /** The rules can be asked about requests that nobody makes; these are of no dispatch. */
    @Bean
    HttpServletRequestTransformer imaginedRequests() {
        var paths = new PathPatternRequestTransformer();
        return request ->
                new HttpServletRequestWrapper(paths.transform(request)) {
                    @Override
                    public DispatcherType getDispatcherType() {
                        return DispatcherType.REQUEST;
                    }
                };
    }

    /** Keeps Boot from making a user with a password in the log. */
    @Bean
    UserDetailsService noPasswords() {
        return name -> {
            throw new UsernameNotFoundException(name);
        };
    }

    @Bean
    SecureRandom secureRandom() {
        return new SecureRandom();
    }
}
