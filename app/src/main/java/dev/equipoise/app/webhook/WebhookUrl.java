package dev.equipoise.app.webhook;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Address of a receiver.
 *
 * @param uri absolute, {@code http} or {@code https}, with a host
 */
record WebhookUrl(URI uri) {

    static final int MAX_LENGTH = 2000;

    private static final int MAX_PORT = 65_535;

    /**
     * Reads the URL of a new webhook. Names are not looked up: what they resolve to may change, so
     * each delivery checks it.
     *
     * @throws IllegalArgumentException with the broken rule
     */
    static WebhookUrl read(String text, AddressPolicy policy) {
        WebhookUrl url = parse(text);
        InetAddress literal = literal(url.host());
        if (literal != null && !policy.allows(literal)) {
            throw new IllegalArgumentException(
                    "must not have the address %s, which is not public: ask the administrator to allow its network in equipoise.webhook.allowed-networks"
                            .formatted(literal.getHostAddress()));
        }
        return url;
    }

    /**
     * Reads the URL of a stored webhook.
     *
     * @throws IllegalArgumentException with the broken rule
     */
    static WebhookUrl parse(String text) {
        URI uri = uri(text);
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw new IllegalArgumentException("must begin with https:// or http://");
        }
        if (uri.getHost() == null || uri.getPort() == 0 || uri.getPort() > MAX_PORT) {
            throw new IllegalArgumentException(
                    "must have a host, as a name in ASCII or an address, and no port above 65535");
        }
        if (uri.toString().length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "must have at most %d characters when encoded, but has %d"
                            .formatted(MAX_LENGTH, uri.toString().length()));
        }
        if (uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "must have neither a user nor a fragment: deliveries are authenticated by their signature");
        }
        return new WebhookUrl(uri);
    }

    private static URI uri(String text) {
        try {
            return new URI(new URI(text).toASCIIString());
        } catch (URISyntaxException invalid) {
            throw new IllegalArgumentException(
                    "must be a URL such as https://example.org/hook", invalid);
        }
    }

    private static @Nullable InetAddress literal(String host) {
        try {
            return InetAddress.ofLiteral(host);
        } catch (IllegalArgumentException name) {
            return null;
        }
    }

    boolean isSecure() {
        return "https".equalsIgnoreCase(uri.getScheme());
    }

    /** Returns the name or the address, an IPv6 address without brackets. */
    String host() {
        return uri.getHost().replaceAll("^\\[|\\]$", "");
    }

    int port() {
        if (uri.getPort() != -1) {
            return uri.getPort();
        }
        return isSecure() ? 443 : 80;
    }

    /** Returns the value of the header {@code Host}. */
    String authority() {
        return uri.getPort() == -1 ? uri.getHost() : uri.getHost() + ":" + uri.getPort();
    }

    /** Returns the encoded path with the query. */
    String target() {
        String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        return uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
    }
}
