package dev.equipoise.agent.lifecycle;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the address of the service from the command line. */
final class ServiceAddress implements ITypeConverter<URI> {

    private static final Set<String> SCHEMES = Set.of("http", "https");
    private static final String EXAMPLE = "http://lab.example:8080";

    /** Path below which the service is; a segment of dots alone would lead elsewhere. */
    private static final String PATH = "(/(?!\\.+(/|$))[A-Za-z0-9._~-]+)*/?";

    @Override
    public URI convert(String text) {
        return address(text)
                .orElseThrow(() ->
                        new TypeConversionException(
                                "it must be an http or https address, such as %s, but was %s"
                                        .formatted(suggestion(text), text)));
    }

    private static Optional<URI> address(String text) {
        try {
            URI address = new URI(text);
            return Optional.of(address)
                    .filter(it -> SCHEMES.contains(String.valueOf(it.getScheme())))
                    .filter(it -> it.getHost() != null)
                    .filter(it -> it.getRawPath().matches(PATH))
                    .filter(it -> text.matches("[^@?#]*"));
        } catch (URISyntaxException _) {
            return Optional.empty();
        }
    }

    /** Completes an address without a scheme. */
    private static String suggestion(String text) {
        return address("http://" + text)
                .filter(_ -> !text.contains("//"))
                .map(URI::toString)
                .orElse(EXAMPLE);
    }
}
