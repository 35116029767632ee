package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.Points;
import dev.equipoise.protocol.Report;
import dev.equipoise.protocol.WorkerId;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** An agent that says what it is told to say. */
public final class TestingAgent {

    private static final int LEASE_SECONDS = 10;

    private final WorkerId id;
    private final String address;
    private final TestingClient client;
    private final JsonMapper json;
    private long sequence;

    TestingAgent(WorkerId id, String address, TestingClient client, JsonMapper json) {
        this.id = id;
        this.address = address;
        this.client = client;
        this.json = json;
    }

    public WorkerId id() {
        return id;
    }

    public TestingClient client() {
        return client;
    }

    public Answer beat(Collection<TestingAgent> sees) {
        return beat(sees, false);
    }

    public Answer beat(Collection<TestingAgent> sees, boolean draining) {
        Set<WorkerId> seen = Set.copyOf(sees.stream().map(TestingAgent::id).toList());
        return client.post("/agents/" + id + "/heartbeat", new Heartbeat(address, seen, draining));
    }

    public Answer lease(int seconds) {
        return client.post("/agents/" + id + "/lease?wait=" + seconds);
    }

    /** Waits for the work that it gets; sequence numbers begin again. */
    public Assignment work() {
        return work(
                await().pollInSameThread()
                        .pollDelay(Duration.ZERO)
                        .until(() -> lease(LEASE_SECONDS), leased -> leased.status() != 204));
    }

    /** The same, where a lease was answered with some already. */
    public Assignment work(Answer leased) {
        sequence = 0;
        return json.treeToValue(leased.expect(200), Assignment.class);
    }

    public Assignment.Training training() {
        return (Assignment.Training) work();
    }

    public Assignment.Profiling profiling() {
        return (Assignment.Profiling) work();
    }

    /** The next events, all in one report. */
    public Answer report(Assignment assignment, AgentEvent... events) {
        Answer answer = send(assignment, assignment.generation(), sequence + 1, events);
        if (answer.status() / 100 == 2) {
            sequence += events.length;
        }
        return answer;
    }

    /** Whether the service asks it to make room, once it has these events. */
    public boolean isAskedToStop(Assignment assignment, AgentEvent... events) {
        Answer answer = report(assignment, events);
        return answer.status() == 200 && answer.expect(200).path("preempt").booleanValue();
    }

    public void tell(Assignment assignment, AgentEvent... events) {
        report(assignment, events).expect(204);
    }

    /** Measures all that the profile asks for, as one whose time is in proportion to the size. */
    public void measure(Assignment.Profiling profiling, double secondsPerSample) {
        for (Assignment.Measurement measurement : profiling.measurements()) {
            for (int size : ((Points.Fixed) measurement.points()).sizes()) {
                tell(
                        profiling,
                        new AgentEvent.PointMeasured(
                                measurement.kernel(),
                                new MeasuredPoint(size, size * secondsPerSample, 5, 0, 0)));
            }
        }
        tell(profiling, new AgentEvent.Finished());
    }

    public Answer send(Assignment assignment, int generation, long first, AgentEvent... events) {
        return client.post(
                "/assignments/" + assignment.id() + "/events",
                new Report(generation, first, ownEvents(assignment, events)));
    }

    /** A worker that has one rank speaks for that one, whichever the test has named. */
    private static List<AgentEvent> ownEvents(Assignment assignment, AgentEvent... events) {
        return assignment instanceof Assignment.Training training
                ? Stream.of(events).map(event -> ofRank(training.rank(), event)).toList()
                : List.of(events);
    }

    private static AgentEvent ofRank(int rank, AgentEvent event) {
        return switch (event) {
            case AgentEvent.ReplicaReady(var _, var seconds, var parameters) ->
                    new AgentEvent.ReplicaReady(rank, seconds, parameters);
            case AgentEvent.RoundReached(var _, var epoch, var round) ->
                    new AgentEvent.RoundReached(rank, epoch, round);
            case AgentEvent.Observed observed ->
                    new AgentEvent.Observed(
                            rank,
                            observed.metric(),
                            observed.every(),
                            observed.steps(),
                            observed.seconds(),
                            observed.values(),
                            observed.dropped());
            case AgentEvent.Preempted(var _, var epoch) -> new AgentEvent.Preempted(rank, epoch);
            case AgentEvent.Interrupted(var _, var held, var missing) ->
                    new AgentEvent.Interrupted(rank, held, missing);
            case AgentEvent.Noted(var _, var text) -> new AgentEvent.Noted(rank, text);
            case AgentEvent.EpochFinished finished -> TestingEpochs.ofRank(rank, finished);
            case AgentEvent.Traced traced ->
                    new AgentEvent.Traced(
                            rank,
                            traced.epoch(),
                            traced.strand(),
                            traced.phases(),
                            traced.begun(),
                            traced.nanos(),
                            traced.dropped());
            case AgentEvent.Decided(var _, var epoch, var strand, var choices) ->
                    new AgentEvent.Decided(rank, epoch, strand, choices);
            default -> event;
        };
    }

    public void leave() {
        assertThat(client.delete("/agents/" + id).status()).isIn(204, 401);
    }
}
