package dev.equipoise.benchmarks;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The rules of a command line. */
public final class Arguments {

    private Arguments() {}

    /**
     * Refuses the command line unless a rule holds.
     *
     * @param spec of the command; picocli sets it before it calls
     * @throws ParameterException with the rule and the actual value
     */
    public static void require(@Nullable CommandSpec spec, boolean condition, String rule) {
        if (!condition && spec != null) {
            throw new ParameterException(spec.commandLine(), rule);
        }
    }
}
