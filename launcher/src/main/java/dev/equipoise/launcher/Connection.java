package dev.equipoise.launcher;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * A service and the token with which a command calls it.
 *
 * @param context the context that names the service; null if an option or a variable does
 */
public record Connection(URI service, String token, @Nullable String context) {

    /** Returns a client, which the caller closes. */
    public ServiceApi api() {
        return new ServiceApi(service, token);
    }

    /**
     * Reads the address of a service.
     *
     * @throws UsageError if it has another form
     */
    public static URI address(String url) {
        try {
            if (url.matches("https?://[^\\s/]+/?")) {
                return URI.create(url.replaceFirst("/$", ""));
            }
        } catch (IllegalArgumentException malformed) {
            throw malformed(url);
        }
        throw malformed(url);
    }

    private static UsageError malformed(String url) {
        return new UsageError("the URL of the service must be http://HOST:PORT, but was " + url);
    }

    /** Omits the token. */
    @Override
    public String toString() {
        return "Connection[%s]".formatted(service);
    }
}
