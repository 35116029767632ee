package dev.equipoise.launcher;

import dev.equipoise.endpoint.ServiceAddress;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * A service and the token with which a command calls it.
 *
 * @param context the context that names the service; null if an option or a variable does
 */
public record Connection(ServiceEndpoint service, String token, @Nullable String context) {

    /**
     * Returns a client, which the caller closes.
     *
     * @throws UsageError if the file of certificate authorities cannot be used
     */
    public ServiceApi api() {
        return service.api(token);
    }

    /**
     * Reads the address of a service, and removes a slash at its end.
     *
     * @throws UsageError if it has another form
     */
    public static URI address(String url) {
        try {
            return ServiceAddress.parse(url);
        } catch (IllegalArgumentException malformed) {
            throw new UsageError("the URL of the service " + malformed.getMessage());
        }
    }

    /** Omits the token. */
    @Override
    public String toString() {
        return "Connection[%s]".formatted(service.address());
    }
}
