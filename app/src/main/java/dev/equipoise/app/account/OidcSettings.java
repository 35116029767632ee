package dev.equipoise.app.account;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The identity provider that vouches for people (OpenID Connect Core 1.0).
 *
 * @param issuer its address, where it tells of itself; null where there is none
 * @param clientId as the provider knows the lab
 * @param clientSecret between the provider and the lab
 * @param nameClaim what of its word is a user's name
 * @param scopes what it is asked to tell, besides who it is
 * @param admission whom the lab lets in
 */
@ConfigurationProperties("equipoise.oidc")
record OidcSettings(
        @Nullable String issuer,
        @DefaultValue("equipoise") String clientId,
        @DefaultValue("") String clientSecret,
        @DefaultValue("preferred_username") String nameClaim,
        @DefaultValue("profile") List<String> scopes,
        @DefaultValue Admission admission) {

    OidcSettings {
        scopes = List.copyOf(scopes);
    }

    /** All that the provider is asked for, with what the rules of admission need. */
    Set<String> allScopes() {
        Set<String> all = new TreeSet<>(scopes);
        all.add("openid");
        if (!admission.emailDomains().isEmpty()) {
            all.add("email");
        }
        return all;
    }

    @Override
    public String toString() {
        return "OidcSettings[%s]".formatted(issuer);
    }
}
