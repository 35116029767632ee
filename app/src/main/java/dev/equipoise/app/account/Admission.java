package dev.equipoise.app.account;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Rules by which the lab admits users of its identity provider, which may know many people outside
 * the lab. The rules apply at each sign-in: a user whom the provider removes from a group gets no
 * new session.
 *
 * @param newcomers whether a user without an account gets one; otherwise an administrator must
 *     create it first
 * @param emailDomains domains of which one must contain a verified email address (default: none,
 *     which admits every address)
 * @param claim claim that the provider must make about every user (default: none)
 * @param value required value of the claim, or of one of its items (default: none)
 */
record Admission(
        @DefaultValue("false") boolean newcomers,
        @DefaultValue List<String> emailDomains,
        @Nullable String claim,
        @Nullable String value) {

    Admission {
        emailDomains = emailDomains.stream().map(it -> it.toLowerCase(Locale.ROOT)).toList();
        emailDomains.forEach(Admission::requireDomain);
        if ((claim == null) != (value == null)
                || (claim != null && claim.isBlank())
                || (value != null && value.isBlank())) {
            throw new IllegalArgumentException(
                    "equipoise.oidc.admission.claim and .value must be set together or not at all,"
                            + " but were %s and %s".formatted(claim, value));
        }
    }

    private static void requireDomain(String domain) {
        if (!domain.matches("[^@\\s]+")) {
            throw new IllegalArgumentException(
                    "equipoise.oidc.admission.email-domains must be names like lab.example, but was"
                            + " '%s'".formatted(domain));
        }
    }

    /**
     * Returns the reason why a user is not admitted, or empty if the user is.
     *
     * @param claims the claims of the provider
     */
    Optional<String> rejection(Map<String, Object> claims) {
        if (!emailDomains.isEmpty() && !hasAddress(claims)) {
            return Optional.of(
                    "The lab admits only email addresses at %s that the identity provider has verified"
                            .formatted(String.join(" or ", emailDomains)));
        }
        if (claim != null && value != null && !asserts(claims.get(claim), value)) {
            return Optional.of(
                    "The identity provider does not assert the required value of the claim %s"
                            .formatted(claim));
        }
        return Optional.empty();
    }

    /** Requires a verified address, since an unverified one may belong to anybody. */
    private boolean hasAddress(Map<String, Object> claims) {
        return claims.get("email") instanceof String address
                && asserts(claims.get("email_verified"), "true")
                && emailDomains.contains(
                        address.substring(address.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT));
    }

    private static boolean asserts(@Nullable Object claim, String expected) {
        return claim instanceof Collection<?> items
                ? items.stream().anyMatch(it -> expected.equals(String.valueOf(it)))
                : expected.equals(String.valueOf(claim));
    }
}
