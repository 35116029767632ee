package dev.equipoise.app.account;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Whom the lab lets in of those for whom its identity provider vouches: a provider may know many
 * who have nothing to do with the lab. The rules hold at each sign-in: whom the provider takes out
 * of a group gets no new session here.
 *
 * @param newcomers whether who has no account gets one; else an administrator makes it before
 * @param emailDomains of one of which a verified address must be; empty where none is needed
 * @param claim what the provider must say of everybody; null where nothing is needed
 * @param value what the claim must be, or have among its items
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
                    "equipoise.oidc.admission.claim and .value must be told together or not at all,"
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
     * Why somebody is not let in, or nothing where the rules let them.
     *
     * @param claims what the provider says
     */
    Optional<String> refusal(Map<String, Object> claims) {
        if (!emailDomains.isEmpty() && !hasAddress(claims)) {
            return Optional.of(
                    "The lab lets in who has an address of %s that the identity provider has verified"
                            .formatted(String.join(" or ", emailDomains)));
        }
        if (claim != null && value != null && !says(claims.get(claim), value)) {
            return Optional.of(
                    "The identity provider does not say of the user, in the claim %s, what the lab"
                                    .formatted(claim)
                            + " asks for");
        }
        return Optional.empty();
    }

    /** An address that nobody has verified may be anybody's. */
    private boolean hasAddress(Map<String, Object> claims) {
        return claims.get("email") instanceof String address
                && says(claims.get("email_verified"), "true")
                && emailDomains.contains(
                        address.substring(address.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT));
    }

    private static boolean says(@Nullable Object claimed, String wanted) {
        return claimed instanceof Collection<?> items
                ? items.stream().anyMatch(it -> wanted.equals(String.valueOf(it)))
                : wanted.equals(String.valueOf(claimed));
    }
}
