package dev.equipoise.app.account;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.ProblemWriter;
import dev.equipoise.app.problem.ServicePath;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;
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
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.access.AuthorizationManagerWebInvocationPrivilegeEvaluator.HttpServletRequestTransformer;
import org.springframework.security.web.access.PathPatternRequestTransformer;
import org.springframework.security.web.csrf.CsrfException;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.csrf.CsrfTokenRequestAttributeHandler;

/**
 * Configures the security of requests. {@link PathRules} tells which kind of caller may use which
 * path; the modules check the access to each object.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({AccountSettings.class, SessionSettings.class, OidcSettings.class})
class SecurityConfiguration {

    /** Paths for monitoring programs of the cluster, which have no token. */
    private static final String[] MONITORING = {"/actuator/health/**", "/actuator/prometheus"};

    /** The content security policy of pages; the dashboard's components set inline styles. */
    private static final String POLICY =
            """
            default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
            img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
            base-uri 'none'; form-action 'self'; frame-ancestors 'none'\
            """;

    /** Rules of a separate management port, which only the inside of a cluster can reach. */
    @Bean
    @Order(0)
    @ConditionalOnManagementPort(ManagementPortType.DIFFERENT)
    SecurityFilterChain management(HttpSecurity http, ManagementPort port) {
        return http.securityMatcher(port)
                .authorizeHttpRequests(it ->
                        it.requestMatchers(HttpMethod.GET, MONITORING)
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
        return http.authorizeHttpRequests(it -> new PathRules(it).add())
                .addFilterBefore(new TokenFilter(tokens, problems), CsrfFilter.class)
                .exceptionHandling(it ->
                        it.authenticationEntryPoint(unauthenticated(problems))
                                .accessDeniedHandler(denied(problems)))
                .headers(it -> it.contentSecurityPolicy(policy -> policy.policyDirectives(POLICY)))
                .sessionManagement(it -> it.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .csrf(SecurityConfiguration::protectSessions)
                .logout(LogoutConfigurer::disable)
                .requestCache(RequestCacheConfigurer::disable)
                .build();
    }

    private static AuthenticationEntryPoint unauthenticated(ProblemWriter problems) {
        return (request, response, _) -> {
            response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
            problems.write(
                    request,
                    response,
                    ErrorCode.UNAUTHENTICATED,
                    "The request carries neither a token nor a session");
        };
    }

    private static AccessDeniedHandler denied(ProblemWriter problems) {
        return (request, response, denied) -> {
            if (isDeparted(SecurityContextHolder.getContext().getAuthentication())) {
                response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
                problems.write(
                        request,
                        response,
                        ErrorCode.UNAUTHENTICATED,
                        "The worker has left: its agent must register again to return");
                return;
            }
            boolean lacksToken = denied instanceof CsrfException;
            problems.write(
                    request,
                    response,
                    lacksToken ? ErrorCode.CSRF : ErrorCode.FORBIDDEN,
                    lacksToken
                            ? "A request with a session must carry its " + SessionNames.CSRF_HEADER
                            : Denial.of(
                                    request.getMethod() + " " + ServicePath.of(request),
                                    principal()));
        };
    }

    /** Returns who sends the request; null if nobody is authenticated. */
    private static @Nullable Object principal() {
        Authentication sender = SecurityContextHolder.getContext().getAuthentication();
        return sender == null ? null : sender.getPrincipal();
    }

    /** Tells whether the caller's credential only serves to return. */
    private static boolean isDeparted(@Nullable Authentication caller) {
        return caller != null && caller.getPrincipal() instanceof Caller.DepartedAgent;
    }

    private static void protectSessions(CsrfConfigurer<HttpSecurity> csrf) {
        csrf.csrfTokenRepository(new SessionCsrf())
                .csrfTokenRequestHandler(new CsrfTokenRequestAttributeHandler())
                .requireCsrfProtectionMatcher(SessionCsrf::isRequired);
    }

    /** Lets the rules be evaluated for requests that are not real and have no dispatcher type. */
    @Bean
    HttpServletRequestTransformer hypotheticalRequests() {
        var paths = new PathPatternRequestTransformer();
        return request ->
                new HttpServletRequestWrapper(paths.transform(request)) {
                    @Override
                    public DispatcherType getDispatcherType() {
                        return DispatcherType.REQUEST;
                    }
                };
    }

    /** Prevents Spring Boot from creating a user and logging the password. */
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
