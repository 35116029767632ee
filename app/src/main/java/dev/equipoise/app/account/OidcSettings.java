package dev.equipoise.app.account;

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
 */
@ConfigurationProperties("equipoise.oidc")
record OidcSettings(
        @Nullable String issuer,
        @DefaultValue("equipoise") String clientId,
        @DefaultValue("") String clientSecret,
        @DefaultValue("preferred_username") String nameClaim) {

    @Override
    public String toString() {
        return "OidcSettings[%s]".formatted(issuer);
    }
}
