package dev.equipoise.agent;

import dev.equipoise.testing.Patience;
import java.time.Duration;

/** Timeouts of agents that no slow machine trips. */
final class TestingTimeouts {

    static final AgentTimeouts PATIENT =
            new AgentTimeouts(
                    Duration.ofSeconds(5),
                    Patience.PATIENCE,
                    Patience.PATIENCE,
                    Patience.PATIENCE,
                    Patience.PATIENCE);

    private TestingTimeouts() {}
}
