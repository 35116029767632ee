package dev.equipoise.app.account;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.stereotype.Component;

/**
 * Takes the tokens that the settings name at each start, so that a lab can be installed, and its
 * agents started, without anybody copying a token from one place to another. They are good before
 * anybody can ask: an agent whose token is refused does not come again.
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
     * What is no token of 256 bits could be guessed.
     *
     * @throws IllegalStateException which tells nothing of it but its length
     */
    static @Nullable Secret secret(TokenKind kind, String setting, @Nullable String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        Secret secret = new Secret(text.strip());
        if (!secret.isOf(kind)) {
            throw new IllegalStateException(
                    "equipoise.account.%s must be %s and %d characters of base64url, as %s makes them, but has %d characters in all"
                            .formatted(
                                    setting,
                                    kind.prefix(),
                                    Secret.CHARACTERS,
                                    "openssl rand -base64 32 | tr '+/' '-_' | tr -d '='",
                                    secret.text().length()));
        }
        return secret;
    }
}
