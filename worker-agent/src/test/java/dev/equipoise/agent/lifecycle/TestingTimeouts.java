package dev.equipoise.agent.lifecycle;

import dev.equipoise.testing.Patience;
import java.time.Duration;

/** Timeouts too long to expire on a slow host. */
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
