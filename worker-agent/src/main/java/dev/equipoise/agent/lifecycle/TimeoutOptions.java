package dev.equipoise.agent.lifecycle;

import java.time.Duration;
import java.util.function.BiConsumer;
import picocli.CommandLine.Option;

/** Command line options for timeouts, for slow or busy hosts. */
final class TimeoutOptions {

    @Option(
            names = "--join-timeout",
            paramLabel = "S",
            description = "Seconds to wait for a service that does not answer (default: 60).")
    private int joining = 60;

    @Option(
            names = "--request-timeout",
            paramLabel = "S",
            description = "Seconds to wait for an answer of the service (default: 10).")
    private int request = 10;

    @Option(
            names = "--meeting-timeout",
            paramLabel = "S",
            description = "Seconds to wait for the other ranks when a run begins (default: 30).")
    private int meeting = 30;

    @Option(
            names = "--reconfiguration-timeout",
            paramLabel = "S",
            description =
                    "Seconds to wait for the surviving ranks when a run continues without lost"
                            + " ranks (default: 10).")
    private int reconfiguration = 10;

    @Option(
            names = "--idle-timeout",
            paramLabel = "S",
            description =
                    "Seconds of an exchange without a byte sent or received until it fails"
                            + " (default: 600).")
    private int idle = 600;

    /**
     * Returns the timeouts.
     *
     * @param require receives for each option whether its value is in range, and the message if not
     */
    AgentTimeouts timeouts(BiConsumer<Boolean, String> require) {
        require.accept(joining >= 0, "--join-timeout must be at least 0, but was " + joining);
        requirePositive(require, "--request-timeout", request);
        requirePositive(require, "--meeting-timeout", meeting);
        requirePositive(require, "--reconfiguration-timeout", reconfiguration);
        requirePositive(require, "--idle-timeout", idle);
        return new AgentTimeouts(
                Duration.ofSeconds(joining),
                Duration.ofSeconds(request),
                Duration.ofSeconds(meeting),
                Duration.ofSeconds(reconfiguration),
                Duration.ofSeconds(idle));
    }

    private static void requirePositive(
            BiConsumer<Boolean, String> require, String option, int seconds) {
        require.accept(seconds >= 1, option + " must be at least 1, but was " + seconds);
    }
}
