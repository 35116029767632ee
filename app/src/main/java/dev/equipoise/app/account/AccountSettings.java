package dev.equipoise.app.account;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Tokens for the first start. The longer name is documented after its prefix, because the processor
 * of configuration metadata finds a description by the beginning of the name.
 *
 * @param administratorToken token of an administrator, chosen by the installer (default: none)
 * @param administratorTokenFile file for the first administrator's token; it must not exist or must
 *     contain an older token, which is replaced (default: none, so that the token is printed)
 * @param joinToken token by which any number of workers may join (default: none)
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
