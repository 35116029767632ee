package dev.equipoise.launcher;

import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that name a running service, which a command uses in place of starting one. */
final class SiteOptions {

    @Option(
            names = "--service",
            paramLabel = "URL",
            description = "submit to this service (default: $EQUIPOISE_URL)")
    private @Nullable String service;

    @Option(
            names = "--token",
            paramLabel = "T",
            description =
                    "token of the service (default: $EQUIPOISE_TOKEN, which other users cannot read"
                            + " from the list of processes)")
    private @Nullable String token;

    /**
     * Returns the service that the options or the environment name, if they do.
     *
     * @throws UsageError if the URL is malformed or the token is missing
     */
    Optional<Site> named() {
        String url = optionOrVariable(service, "EQUIPOISE_URL");
        if (url.isEmpty()) {
            return Optional.empty();
        }
        String secret = optionOrVariable(token, "EQUIPOISE_TOKEN");
        if (secret.isEmpty()) {
            throw new UsageError("%s needs a token: set --token or EQUIPOISE_TOKEN".formatted(url));
        }
        return Optional.of(new RemoteSite(address(url), secret));
    }

    private static String optionOrVariable(@Nullable String option, String variable) {
        return Optional.ofNullable(option)
                .or(() -> Optional.ofNullable(System.getenv(variable)))
                .orElse("")
                .strip();
    }

    private static URI address(String url) {
        if (!url.matches("https?://[^\\s/]+/?")) {
            throw new UsageError("the URL of the service must be http://HOST:PORT, but was " + url);
        }
        return URI.create(url);
    }
}
