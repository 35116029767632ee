package dev.equipoise.app.worker;

import static dev.equipoise.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingLab;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Network that repeats and reorders the heartbeats and departures of agents. */
@RunningService
class ReorderedMembershipIT {

    private static final int SENDERS = 6;

    private final TestingLab lab;
    private final Workers workers;
    private final ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor();

    ReorderedMembershipIT(@Autowired TestingLab lab, @Autowired Workers workers) {
        this.lab = lab;
        this.workers = workers;
    }

    @AfterEach
    void clear() {
        senders.shutdownNow();
        lab.clear();
    }

    private String state(TestingAgent agent) {
        return lab.administrator()
                .get("/workers/" + agent.id())
                .expect(200)
                .path("state")
                .stringValue();
    }

    @Test
    void lateHeartbeatDoesNotUndoADrain() {
        TestingAgent agent = lab.agents(1).getFirst();
        agent.beat(List.of(agent), true).expect(200);
        agent.beat(List.of(agent), true).expect(200);

        agent.beat(List.of(agent), false).expect(200);

        assertThat(state(agent)).isEqualTo("DRAINING");
        assertThat(agent.lease(0).status()).isEqualTo(204);
    }

    @Test
    void messagesAfterADepartureChangeNothing() {
        TestingAgent agent = lab.agents(1).getFirst();
        agent.leave();

        for (Answer late :
                List.of(
                        agent.client().delete("/agents/" + agent.id()),
                        agent.beat(List.of(agent)),
                        agent.beat(List.of(agent), true),
                        agent.lease(0))) {
            late.problem(401, "unauthenticated");
        }
        assertThat(state(agent)).isEqualTo("LEFT");
    }

    /** The second request was authenticated before the first revoked the credential. */
    @Test
    void secondDepartureChangesNothing() {
        TestingAgent agent = lab.agents(1).getFirst();

        workers.leave(agent.id());
        workers.leave(agent.id());

        assertThat(state(agent)).isEqualTo("LEFT");
    }

    @Test
    void concurrentDeparturesAndHeartbeatsEndInADeparture() {
        TestingAgent agent = lab.agents(1).getFirst();
        List<Future<Answer>> leaving = new ArrayList<>();
        List<Future<Answer>> beating = new ArrayList<>();
        for (int sender = 0; sender < SENDERS; sender++) {
            leaving.add(senders.submit(() -> agent.client().delete("/agents/" + agent.id())));
            beating.add(senders.submit(() -> agent.beat(List.of(agent), true)));
        }

        assertThat(Stream.concat(leaving.stream(), beating.stream()))
                .allSatisfy(it -> assertThat(it).succeedsWithin(PATIENCE));
        assertThat(leaving).extracting(it -> it.resultNow().status()).isSubsetOf(204, 401);
        assertThat(beating).extracting(it -> it.resultNow().status()).isSubsetOf(200, 401, 409);
        assertThat(state(agent)).isEqualTo("LEFT");
    }
}
