package dev.equipoise.app.account;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The first ways in.
 *
 * @param administratorTokenFile where the first administrator's token goes: a file that does not
 *     exist yet or holds an older token, which is replaced; null for standard output
 * @param administratorToken one that whoever installs the service has chosen; null for none
 * @param joinToken one by which any number of workers may join; null for none
 */
@ConfigurationProperties("equipoise.account")
record AccountSettings(
        @Nullable Path administratorTokenFile,
        @Nullable String administratorToken,
        @Nullable String joinToken) {

    /** Without the tokens. */
    @Override
    public String toString() {
        return "AccountSettings[%s]".formatted(administratorTokenFile);
    }
}
