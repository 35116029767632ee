package dev.equipoise.endpoint;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.Set;

/** Reads and compares addresses of services. */
public final class ServiceAddress {

    private static final Set<String> SCHEMES = Set.of("http", "https");
    private static final String EXAMPLE = "http://lab.example:8080";

    /** Path below which the service is; a segment of dots alone would lead elsewhere. */
    private static final String PATH = "(/(?!\\.+(/|$))[A-Za-z0-9._~-]+)*/?";

    private ServiceAddress() {}

    /**
     * Reads an address, whose path may end with a slash.
     *
     * @return address without that slash
     * @throws IllegalArgumentException if the text has another form; the message begins with "must
     *     be", and omits what may be a secret
     */
    public static URI parse(String text) {
        return parsed(text)
                .map(ServiceAddress::withoutSlash)
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "must be an http or https address without user, query and"
                                        + " fragment, whose path has letters, digits and -._~, such"
                                        + " as %s, but was %s"
                                                .formatted(suggestion(text), shown(text))));
    }

    private static Optional<URI> parsed(String text) {
        try {
            URI address = new URI(text);
            return Optional.of(address)
                    .filter(it -> SCHEMES.contains(String.valueOf(it.getScheme())))
                    .filter(it -> it.getHost() != null)
                    .filter(it -> it.getRawPath().matches(PATH))
                    .filter(_ -> text.matches("[^@?#]*"));
        } catch (URISyntaxException _) {
            return Optional.empty();
        }
    }

    /** Completes an address without a scheme. */
    private static String suggestion(String text) {
        return parsed("http://" + text)
                .filter(_ -> !text.contains("//"))
                .map(URI::toString)
                .orElse(EXAMPLE);
    }

    /** Hides user and password, which may contain any character, and query and fragment. */
    private static String shown(String text) {
        return text.replaceFirst("(?s)^(\\w+://)?[^@]*@.*", "$1***")
                .replaceFirst("(?s)([?#]).*", "$1***");
    }

    /** Returns the form of an address in which it is stored and compared. */
    public static URI withoutSlash(URI address) {
        String text = address.toString();
        return text.endsWith("/") ? URI.create(text.substring(0, text.length() - 1)) : address;
    }

    /** Returns whether a service at an address has a certificate. */
    public static boolean isEncrypted(URI address) {
        return "https".equals(address.getScheme());
    }
}
