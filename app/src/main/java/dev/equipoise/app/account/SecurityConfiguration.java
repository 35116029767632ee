package dev.equipoise.app.account;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.ProblemWriter;
import jakarta.servlet.DispatcherType;
import java.security.SecureRandom;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
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
import org.springframework.security.web.access.intercept.AuthorizationFilter;

/** Which kind of caller may reach which path; what belongs to whom is checked in the modules. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(FirstAdministrator.Settings.class)
class SecurityConfiguration {

    private static final String API = "/api/v1";

    @Bean
    SecurityFilterChain api(HttpSecurity http, Tokens tokens, ProblemWriter problems) {
        return http.authorizeHttpRequests(it ->
                        it.dispatcherTypeMatchers(DispatcherType.ERROR)
                                .permitAll()
                                .requestMatchers(HttpMethod.POST, API + "/agents")
                                .hasRole("NEWCOMER")
                                .requestMatchers(API + "/agents/**", API + "/assignments/**")
                                .hasRole("AGENT")
                                .requestMatchers(HttpMethod.POST, API + "/projects")
                                .hasRole("ADMINISTRATOR")
                                .requestMatchers(
                                        API + "/tokens/**", API + "/tokens", API + "/join-tokens")
                                .hasRole("ADMINISTRATOR")
                                // A profile goes before every queued run, whosesoever it is.
                                .requestMatchers(
                                        HttpMethod.POST,
                                        API + "/workers/*/profiles",
                                        API + "/profiles/*/cancel",
                                        API + "/links/measurements",
                                        API + "/links/measurements/*/cancel")
                                .hasRole("ADMINISTRATOR")
                                .requestMatchers(HttpMethod.GET, "/api/openapi")
                                .permitAll()
                                .requestMatchers("/api/**")
                                .hasRole("USER")
                                .requestMatchers(HttpMethod.GET, "/**")
                                .permitAll()
                                .anyRequest()
                                .denyAll())
                .addFilterBefore(new TokenFilter(tokens, problems), AuthorizationFilter.class)
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
                                .accessDeniedHandler((request, response, _) ->
                                        problems.write(
                                                request,
                                                response,
                                                ErrorCode.FORBIDDEN,
                                                "The token is not for this")))
                .headers(it ->
                        it.contentSecurityPolicy(policy ->
                                policy.policyDirectives(
                                        "default-src 'self'; style-src 'self'"
                                                + " 'unsafe-inline'; img-src 'self'"
                                                + " data:; frame-ancestors"
                                                + " 'none'")))
                .sessionManagement(it -> it.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                // Nothing is sent by the browser of itself, so there is nothing to forge.
                .csrf(CsrfConfigurer::disable)
                .logout(LogoutConfigurer::disable)
                .requestCache(RequestCacheConfigurer::disable)
                .build();
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
