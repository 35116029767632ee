package dev.equipoise.launcher.context;

import java.net.URI;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A service and the token with which commands call it.
 *
 * @param issued id of the token if {@code login} created it, so that {@code logout} revokes it;
 *     null for a token that the user has created
 * @param ca absolute path of a PEM file with the certificate authorities of the service; null for
 *     those of the JDK
 */
public record Context(URI service, String token, @Nullable String issued, @Nullable String ca) {

    public Context {
        Objects.requireNonNull(service, "service");
        Objects.requireNonNull(token, "token");
    }

    /** Omits the token. */
    @Override
    public String toString() {
        return "Context[%s]".formatted(service);
    }
}
