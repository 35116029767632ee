package dev.equipoise.launcher;

import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which service a command speaks to, if it does not start one. */
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
                    "of the service (default: $EQUIPOISE_TOKEN, which others cannot read off the"
                            + " list of processes)")
    private @Nullable String token;

    /**
     * The service that is named, if one is.
     *
     * @throws WrongInput where its name or its token is missing
     */
    Optional<Site> named() {
        String url = given(service, "EQUIPOISE_URL");
        if (url.isEmpty()) {
            return Optional.empty();
        }
        String secret = given(token, "EQUIPOISE_TOKEN");
        if (secret.isEmpty()) {
            throw new WrongInput("%s wants a token: --token or EQUIPOISE_TOKEN".formatted(url));
        }
        return Optional.of(new RemoteSite(address(url), secret));
    }

    private static String given(@Nullable String option, String variable) {
        return Optional.ofNullable(option)
                .or(() -> Optional.ofNullable(System.getenv(variable)))
                .orElse("")
                .strip();
    }

    private static URI address(String url) {
        if (!url.matches("https?://[^\\s/]+/?")) {
            throw new WrongInput("the service must be named as http://HOST:PORT, but was " + url);
        }
        return URI.create(url);
    }
}
