package dev.equipoise.app.account;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.ProblemWriter;
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
 * Signing in at an identity provider, where one is told: the way there and back, at the end of
 * which a session of the lab's own begins. What is remembered in between is in the instance's
 * memory.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("equipoise.oidc.issuer")
class OidcConfiguration {

    private static final Logger log = LoggerFactory.getLogger(OidcConfiguration.class);

    /** The one provider, as the paths name it. */
    private static final String REGISTRATION = "lab";

    /** Where a browser goes to sign in. */
    static final String START = "/oauth2/authorization/" + REGISTRATION;

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
                                        welcome(
                                                user(authentication),
                                                settings,
                                                signIn,
                                                problems,
                                                request,
                                                response))
                                .failureHandler((request, response, failure) ->
                                        refuse(failure, problems, request, response)))
                .csrf(CsrfConfigurer::disable)
                .requestCache(RequestCacheConfigurer::disable)
                .build();
    }

    /** Asks the provider of itself when the first user signs in, so that the lab starts without. */
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
        throw new IllegalStateException("no user of OpenID Connect: " + authentication);
    }

    private static Identity identity(OidcUser user, OidcSettings settings) {
        String subject = Objects.requireNonNull(user.getSubject());
        return new Identity(
                Objects.requireNonNull(user.getIssuer()).toString(),
                subject,
                name(user.getClaimAsString(settings.nameClaim())).orElse(subject));
    }

    /** What a provider calls a name may be none. */
    private static Optional<String> name(@Nullable String claim) {
        return Optional.ofNullable(claim)
                .map(String::strip)
                .filter(it -> it.matches(UserController.NAME));
    }

    private static void welcome(
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
                    .refusal(user.getClaims())
                    .ifPresent(reason -> {
                        throw Problem.of(ErrorCode.FORBIDDEN, reason);
                    });
            SignIn.Begun begun =
                    signIn.as(identity(user, settings), settings.admission().newcomers());
            response.addHeader(HttpHeaders.SET_COOKIE, begun.cookie(request).toString());
        } catch (Problem refused) {
            log.info("sign-in refused: {}: {}", user.getSubject(), refused.getMessage());
            problems.write(request, response, refused.code(), String.valueOf(refused.getMessage()));
            return;
        }
        response.sendRedirect(DASHBOARD);
    }

    private static void refuse(
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
                "The identity provider did not vouch for the user");
    }
}
