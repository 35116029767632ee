package dev.equipoise.benchmarks;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Checks of command-line arguments. */
public final class Arguments {

    private Arguments() {}

    /**
     * Rejects the command line unless a condition holds.
     *
     * @param spec of the command; picocli sets it before the call
     * @throws ParameterException with the given message
     */
    public static void require(@Nullable CommandSpec spec, boolean condition, String message) {
        if (!condition && spec != null) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }

    /** Rejects the command line unless the number of an option is at least 1. */
    public static void requirePositive(@Nullable CommandSpec spec, String option, int value) {
        require(spec, value >= 1, "%s must be at least 1, but is %d".formatted(option, value));
    }

    /** Rejects the command line unless the number of an option is in a range, bounds included. */
    public static void requireInRange(
            @Nullable CommandSpec spec, String option, int value, int least, int most) {
        require(
                spec,
                value >= least && value <= most,
                "%s must be in %d..%d, but is %d".formatted(option, least, most, value));
    }

    /** Rejects the command line unless the value of an option is one of some choices. */
    public static void requireOneOf(
            @Nullable CommandSpec spec, String option, String value, List<String> choices) {
        require(
                spec,
                choices.contains(value),
                "%s must be of %s, but is %s".formatted(option, choices, value));
    }
}
