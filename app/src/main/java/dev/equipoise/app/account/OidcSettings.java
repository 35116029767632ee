package dev.equipoise.app.account;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of sign-in through an identity provider (OpenID Connect Core 1.0).
 *
 * @param issuer address of the provider, from which its metadata is read (default: none, which
 *     disables the sign-in through a provider)
 * @param clientId id of the lab at the provider
 * @param clientSecret secret that the provider and the lab share (default: empty)
 * @param nameClaim claim that contains the name of a user
 * @param scopes scopes that are requested besides {@code openid}
 * @param admission the rules for admitting users
 */
@ConfigurationProperties("equipoise.oidc")
record OidcSettings(
        @Nullable String issuer,
        @DefaultValue("equipoise") String clientId,
        @DefaultValue("") String clientSecret,
        @DefaultValue("preferred_username") String nameClaim,
        @DefaultValue("profile") List<String> scopes,
        @NestedConfigurationProperty @DefaultValue Admission admission) {

    OidcSettings {
        scopes = List.copyOf(scopes);
    }

    /** Returns the requested scopes, including those that the admission rules need. */
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
