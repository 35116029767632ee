package dev.equipoise.agent.lifecycle;

import dev.equipoise.agent.network.step.BackendKind;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the numeric library of an agent from the command line. */
final class BackendOption implements ITypeConverter<BackendKind> {

    @Override
    public BackendKind convert(String text) {
        return BackendKind.labeled(text)
                .orElseThrow(() ->
                        new TypeConversionException("it must be onednn or nd4j, but was " + text));
    }
}
