package dev.equipoise.app.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.WorkerId;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DenialTest {

    private static final Caller.Newcomer NEWCOMER = new Caller.Newcomer(new UUID(0, 1));
    private static final Caller.Agent AGENT =
            new Caller.Agent(WorkerId.of(new UUID(0, 2)), Instant.EPOCH);

    @Test
    void joinTokenIsNotForOtherCalls() {
        assertThat(Denial.of("GET /api/v1/runs", NEWCOMER))
                .isEqualTo(
                        "The request carries a join token, with which an agent joins; other calls"
                                + " need an API token, which begins with eqp_");
    }

    @Test
    void joiningNeedsAJoinToken() {
        assertThat(Denial.of("POST /api/v1/agents", AGENT))
                .startsWith("An agent joins with a join token, which begins with eqj_ and ")
                .endsWith("but the request carries the credential of a registered worker");
    }

    @Test
    void otherDenialsTellNothing() {
        assertThat(Denial.of("POST /api/v1/projects", AGENT))
                .isEqualTo("The caller may not make this call");
        assertThat(Denial.of("POST /api/v1/projects", null))
                .isEqualTo("The caller may not make this call");
    }
}
