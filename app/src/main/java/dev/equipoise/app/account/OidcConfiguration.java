package dev.equipoise.app.account;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.ProblemWriter;
import dev.equipoise.app.problem.ServicePath;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.config.annotation.web.configurers.RequestCacheConfigurer;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrations;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.SupplierClientRegistrationRepository;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Configures sign-in at an identity provider, if the settings name one. The sign-in ends with a
 * session of the lab; its intermediate state is in the memory of this instance.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("equipoise.oidc.issuer")
class OidcConfiguration {

    private static final Logger log = LoggerFactory.getLogger(OidcConfiguration.class);

    /** The registration id of the only provider, which is part of the paths. */
    private static final String REGISTRATION = "lab";

    /** The path at which a browser begins to sign in. */
    static final String SIGN_IN = "/oauth2/authorization/" + REGISTRATION;

    private static final String DASHBOARD = "/";

    @Bean
    @Order(1)
    SecurityFilterChain oidc(
            HttpSecurity http, OidcSettings settings, SignIn signIn, ProblemWriter problems) {
        return http.securityMatcher("/oauth2/**", "/login/oauth2/**")
                .authorizeHttpRequests(it -> it.anyRequest().authenticated())
                .oauth2Login(it ->
                        it.clientRegistrationRepository(registrations(settings))
                                .successHandler((request, response, authentication) ->
                                        beginSession(
                                                user(authentication),
                                                settings,
                                                signIn,
                                                problems,
                                                request,
                                                response))
                                .failureHandler((request, response, failure) ->
                                        reject(failure, problems, request, response)))
                .csrf(CsrfConfigurer::disable)
                .requestCache(RequestCacheConfigurer::disable)
                .build();
    }

    /**
     * Reads the provider's metadata when the first user signs in, so that the lab starts without
     * it.
     */
    private static SupplierClientRegistrationRepository registrations(OidcSettings settings) {
        return new SupplierClientRegistrationRepository(
                () -> new InMemoryClientRegistrationRepository(registration(settings)));
    }

    private static ClientRegistration registration(OidcSettings settings) {
        return ClientRegistrations.fromIssuerLocation(Objects.requireNonNull(settings.issuer()))
                .registrationId(REGISTRATION)
                .clientId(settings.clientId())
                .clientSecret(settings.clientSecret())
                .scope(settings.allScopes())
                .build();
    }

    private static OidcUser user(Authentication authentication) {
        if (authentication.getPrincipal() instanceof OidcUser user) {
            return user;
        }
        throw new IllegalStateException("not an OpenID Connect user: " + authentication);
    }

    private static Identity identity(OidcUser user, OidcSettings settings) {
        String subject = Objects.requireNonNull(user.getSubject());
        return new Identity(
                Objects.requireNonNull(user.getIssuer()).toString(),
                subject,
                name(user.getClaimAsString(settings.nameClaim())).orElse(subject));
    }

    /** Returns the name claim if it is a valid name of a user. */
    private static Optional<String> name(@Nullable String claim) {
        return Optional.ofNullable(claim)
                .map(String::strip)
                .filter(it -> it.matches(UserController.NAME));
    }

    private static void beginSession(
            OidcUser user,
            OidcSettings settings,
            SignIn signIn,
            ProblemWriter problems,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        request.getSession().invalidate();
        try {
            settings.admission()
                    .rejection(user.getClaims())
                    .ifPresent(reason -> {
                        throw Problem.of(ErrorCode.FORBIDDEN, reason);
                    });
            SignIn.NewSession session =
                    signIn.as(identity(user, settings), settings.admission().newcomers());
            response.addHeader(HttpHeaders.SET_COOKIE, session.cookie(request).toString());
        } catch (Problem rejection) {
            log.info("sign-in rejected: {}: {}", user.getSubject(), rejection.getMessage());
            problems.write(
                    request, response, rejection.code(), String.valueOf(rejection.getMessage()));
            return;
        }
        response.sendRedirect(ServicePath.forClients(request, DASHBOARD));
    }

    private static void reject(
            AuthenticationException failure,
            ProblemWriter problems,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        log.warn("sign-in at the identity provider failed: {}", failure.getMessage());
        problems.write(
                request,
                response,
                ErrorCode.UNAUTHENTICATED,
                "The identity provider did not authenticate the user");
    }
}
