package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.NextCredential;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Points;
import dev.equipoise.protocol.ProfileReport;
import dev.equipoise.protocol.Report;
import dev.equipoise.protocol.RunReport;
import dev.equipoise.protocol.WorkerId;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** A simulated agent that sends what a test tells it to. */
public final class TestingAgent {

    private static final int LEASE_SECONDS = 10;

    private final WorkerId id;
    private final String address;
    private final JsonMapper json;
    private TestingClient client;
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

    /** Sends a heartbeat that reports data folders. */
    public Answer beat(Collection<TestingAgent> sees, List<String> folders) {
        Set<WorkerId> seen = Set.copyOf(sees.stream().map(TestingAgent::id).toList());
        return client.post(
                "/agents/" + id + "/heartbeat",
                new Heartbeat(address, seen, false, null, List.of(), folders));
    }

    /** Sends a heartbeat that reports the load and the used memory of the host. */
    public Answer beat(Double load, @Nullable Long usedMemoryBytes) {
        return client.post(
                "/agents/" + id + "/heartbeat",
                new Heartbeat(address, Set.of(id), false, load, List.of(), null, usedMemoryBytes));
    }

    /** Offers the service a new credential, which {@link #use} uses once the service has it. */
    public Answer offer(Credential next) {
        return client.put("/agents/" + id + "/credential", new NextCredential(next));
    }

    public void use(Credential next) {
        client = client.with(next.text());
    }

    public Answer lease(int seconds) {
        return client.post("/agents/" + id + "/lease?wait=" + seconds);
    }

    /** Waits for an assignment; sequence numbers start again. */
    public Assignment work() {
        return work(
                await().pollInSameThread()
                        .pollDelay(Duration.ZERO)
                        .until(() -> lease(LEASE_SECONDS), leased -> leased.status() != 204));
    }

    /** Returns the assignment of a lease; sequence numbers start again. */
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

    /** Sends the next events in one report. */
    public Answer report(Assignment assignment, AgentEvent... events) {
        Answer answer = send(assignment, assignment.generation(), sequence + 1, events);
        if (answer.status() / 100 == 2) {
            sequence += events.length;
        }
        return answer;
    }

    /** Reports events and tells whether the service asks the run to stop for a preemption. */
    public boolean isAskedToStop(Assignment assignment, AgentEvent... events) {
        Answer answer = report(assignment, events);
        return answer.status() == 200 && answer.expect(200).path("preempt").booleanValue();
    }

    public void tell(Assignment assignment, AgentEvent... events) {
        report(assignment, events).expect(204);
    }

    /** Reports all measurements of a profile, with times proportional to the size. */
    public void measure(Assignment.Profiling profiling, double secondsPerSample) {
        for (Assignment.Measurement measurement : profiling.measurements()) {
            for (int size : ((Points.Fixed) measurement.points()).sizes()) {
                tell(
                        profiling,
                        new ProfileReport.PointMeasured(
                                measurement.kernel(),
                                new MeasuredPoint(size, size * secondsPerSample, 5, 0, 0)));
            }
        }
        tell(profiling, new Outcome.Finished());
    }

    public Answer send(Assignment assignment, int generation, long first, AgentEvent... events) {
        return client.post(
                "/assignments/" + assignment.id() + "/events",
                new Report(generation, first, ownEvents(assignment, events)));
    }

    /** Sets the rank of the events to that of the assignment, whatever rank the test has given. */
    private static List<AgentEvent> ownEvents(Assignment assignment, AgentEvent... events) {
        return assignment instanceof Assignment.Training training
                ? Stream.of(events).map(event -> ofRank(training.rank(), event)).toList()
                : List.of(events);
    }

    private static AgentEvent ofRank(int rank, AgentEvent event) {
        return switch (event) {
            case RunReport.ReplicaReady(var _, var seconds, var parameters, var replaced) ->
                    new RunReport.ReplicaReady(rank, seconds, parameters, replaced);
            case RunReport.RoundReached(var _, var epoch, var round) ->
                    new RunReport.RoundReached(rank, epoch, round);
            case RunReport.Observed observed ->
                    new RunReport.Observed(
                            rank,
                            observed.metric(),
                            observed.every(),
                            observed.steps(),
                            observed.seconds(),
                            observed.values(),
                            observed.dropped());
            case Outcome.Preempted(var _, var epoch) -> new Outcome.Preempted(rank, epoch);
            case Outcome.Interrupted(var _, var held, var missing) ->
                    new Outcome.Interrupted(rank, held, missing);
            case RunReport.Noted(var _, var text) -> new RunReport.Noted(rank, text);
            case RunReport.PhasesElapsed(var _, var seconds, var phases) ->
                    new RunReport.PhasesElapsed(rank, seconds, phases);
            case EpochFinished finished -> TestingEpochs.ofRank(rank, finished);
            case RunReport.Traced traced ->
                    new RunReport.Traced(
                            rank,
                            traced.epoch(),
                            traced.strand(),
                            traced.phases(),
                            traced.begun(),
                            traced.nanos(),
                            traced.dropped());
            case RunReport.Decided(var _, var epoch, var strand, var choices) ->
                    new RunReport.Decided(rank, epoch, strand, choices);
            default -> event;
        };
    }

    public void leave() {
        assertThat(signOff().status()).isIn(204, 401);
    }

    /** Leaves the lab; the answer is 401 if it has left before. */
    public Answer signOff() {
        return client.delete("/agents/" + id);
    }
}
