package dev.equipoise.launcher;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * A service and the token with which a command calls it.
 *
 * @param context the context that names the service; null if an option or a variable does
 */
public record Connection(ServiceEndpoint service, String token, @Nullable String context) {

    /** An address whose path, if any, has no segment of dots, which would lead elsewhere. */
    private static final String ADDRESS = "https?://[^\\s/?#@]+(/(?!\\.+(/|$))[A-Za-z0-9._~-]+)*/?";

    /**
     * Returns a client, which the caller closes.
     *
     * @throws UsageError if the file of certificates cannot be used
     */
    public ServiceApi api() {
        return service.api(token);
    }

    /**
     * Reads the address of a service.
     *
     * @throws UsageError if it has another form
     */
    public static URI address(String url) {
        try {
            if (url.matches(ADDRESS)) {
                return URI.create(url.replaceFirst("/$", ""));
            }
        } catch (IllegalArgumentException malformed) {
            throw malformed(url);
        }
        throw malformed(url);
    }

    private static UsageError malformed(String url) {
        return new UsageError(
                "the URL of the service must be http://HOST:PORT or https://HOST/PATH, but was "
                        + url);
    }

    /** Omits the token. */
    @Override
    public String toString() {
        return "Connection[%s]".formatted(service.address());
    }
}
