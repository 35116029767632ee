package dev.equipoise.agent.lifecycle;

import dev.equipoise.endpoint.ServiceAddress;
import java.net.URI;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the address of the service from the command line. */
final class ServiceOption implements ITypeConverter<URI> {

    @Override
    public URI convert(String text) {
        try {
            return ServiceAddress.parse(text);
        } catch (IllegalArgumentException malformed) {
            throw new TypeConversionException("it " + malformed.getMessage());
        }
    }
}
