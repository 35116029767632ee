package dev.equipoise.app.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.protocol.WorkerId;
import java.time.Instant;
import java.util.Map;
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
    void userLearnsTheRoleThatTheCallRequires() {
        UUID project = new UUID(0, 3);

        assertThat(Denial.of("GET /api/v1/users", user(Access.within(project, Role.EDITOR))))
                .isEqualTo(
                        "The call requires the role administrator, but the caller has the role"
                                + " editor");
        assertThat(Denial.of("GET /api/v1/users", user(new Access(null, Map.of()))))
                .isEqualTo("The call requires the role administrator, but the caller has no role");
    }

    @Test
    void callsOfAgentsAreNotForUsers() {
        Caller.User administrator = user(Access.everywhere(Role.ADMINISTRATOR));

        assertThat(Denial.of("POST /api/v1/agents/a/lease", administrator))
                .isEqualTo("Only the agent of a registered worker may make this call");
    }

    @Test
    void otherDenialsTellNothing() {
        assertThat(Denial.of("POST /api/v1/projects", AGENT))
                .isEqualTo("The caller may not make this call");
        assertThat(Denial.of("POST /api/v1/projects", null))
                .isEqualTo("The caller may not make this call");
    }

    private static Caller.User user(Access access) {
        return new Caller.User("ada", null, new UUID(0, 4), access);
    }
}
