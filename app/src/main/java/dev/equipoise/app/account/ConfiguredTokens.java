package dev.equipoise.app.account;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.stereotype.Component;

/**
 * Stores the tokens that the settings name at each start, so that a lab and its agents can be
 * installed without copying tokens by hand. The tokens are valid before the first request, since an
 * agent does not retry after a rejected token.
 */
@Component
class ConfiguredTokens implements SmartInitializingSingleton {

    private final Tokens tokens;
    private final AccountSettings settings;

    ConfiguredTokens(Tokens tokens, AccountSettings settings) {
        this.tokens = tokens;
        this.settings = settings;
    }

    @Override
    public void afterSingletonsInstantiated() {
        Secret administrator =
                secret(TokenKind.USER, "administrator-token", settings.administratorToken());
        Secret join = secret(TokenKind.JOIN, "join-token", settings.joinToken());
        tokens.configure(TokenKind.USER, administrator);
        tokens.configure(TokenKind.JOIN, join);
    }

    /**
     * Checks that a token has 256 bits, since a shorter one could be guessed.
     *
     * @throws IllegalStateException which reveals only the length of the token
     */
    static @Nullable Secret secret(TokenKind kind, String setting, @Nullable String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        Secret secret = new Secret(text.strip());
        if (!secret.isOf(kind)) {
            throw malformed(kind, setting, secret);
        }
        return secret;
    }

    private static IllegalStateException malformed(TokenKind kind, String setting, Secret secret) {
        return new IllegalStateException(
                "equipoise.account.%s must be %s and %d characters of base64url, as made by %s, but has %d characters in all"
                        .formatted(
                                setting,
                                kind.prefix(),
                                Secret.CHARACTERS,
                                "openssl rand -base64 32 | tr '+/' '-_' | tr -d '='",
                                secret.text().length()));
    }
}
