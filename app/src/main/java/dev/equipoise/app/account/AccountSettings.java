package dev.equipoise.app.account;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Tokens for the first start.
 *
 * @param administratorTokenFile the file for the first administrator's token; it must not exist or
 *     must contain an older token, which is replaced; null for standard output
 * @param administratorToken a token chosen by the installer; null for none
 * @param joinToken a token by which any number of workers may join; null for none
 */
@ConfigurationProperties("equipoise.account")
record AccountSettings(
        @Nullable Path administratorTokenFile,
        @Nullable String administratorToken,
        @Nullable String joinToken) {

    /** Omits the tokens. */
    @Override
    public String toString() {
        return "AccountSettings[%s]".formatted(administratorTokenFile);
    }
}
