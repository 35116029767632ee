package dev.equipoise.agent.service;

import dev.equipoise.agent.checkpoint.CheckpointReader;
import dev.equipoise.agent.time.BackOff;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.Admission;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.HeartbeatReply;
import dev.equipoise.protocol.RecordedOrder;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.Report;
import dev.equipoise.protocol.ReportReply;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The service as one registered worker reaches it. Every call may throw {@link ServiceFailed}; any
 * thread may call.
 */
public final class ServiceClient {

    private static final Logger log = LoggerFactory.getLogger(ServiceClient.class);
    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(2);

    private final URI service;
    private final Requests requests;
    private final Credential credential;
    private final Admission admission;

    private ServiceClient(
            URI service, Requests requests, Credential credential, Admission admission) {
        this.service = service;
        this.requests = requests;
        this.credential = credential;
        this.admission = admission;
    }

    /**
     * Joins as a new worker. An answer that is lost does no harm: the same token and registration
     * again make the same worker.
     *
     * @param timeout for an answer of the service
     */
    public static ServiceClient register(
            URI service, Duration timeout, String joinToken, Registration registration)
            throws InterruptedException {
        var requests = new Requests(service, timeout);
        return new ServiceClient(
                service,
                requests,
                registration.credential(),
                requests.post("agents", joinToken, registration, Admission.class));
    }

    /** Tells a service what agents before this one could not, in threads of the executor. */
    public static void tellUnsent(
            URI service, Duration timeout, Journals journals, Time time, Executor threads) {
        var requests = new Requests(service, timeout);
        for (Journal.Unsent unsent : journals.left(service)) {
            Journal.Owner owner = unsent.owner();
            log.info("telling what an agent before this one could not, of {}", owner.assignment());
            Reporter.tell(
                    unsent,
                    report -> {
                        var _ = report(requests, owner.credential(), owner.assignment(), report);
                    },
                    BackOff.DEFAULT,
                    time,
                    threads);
        }
    }

    /** In which it is kept what the service has not heard yet of an assignment. */
    public Journal journal(Journals journals, Assignment assignment) {
        return journals.of(service, credential, assignment.id(), assignment.generation());
    }

    public Admission admission() {
        return admission;
    }

    public HeartbeatReply heartbeat(Heartbeat heartbeat) throws InterruptedException {
        return requests.post(own("/heartbeat"), bearer(), heartbeat, HeartbeatReply.class);
    }

    /** The last heartbeat, for which a worker that leaves does not wait long. */
    public void drain(Heartbeat heartbeat) throws InterruptedException {
        requests.post(own("/heartbeat"), bearer(), heartbeat, DRAIN_TIMEOUT);
    }

    /** Waits at the service for work. */
    public Optional<Assignment> lease(Duration wait) throws InterruptedException {
        String path = own("/lease?wait=" + wait.toSeconds());
        return Optional.ofNullable(requests.poll(path, bearer(), wait, Assignment.class));
    }

    /**
     * A part of the order of events that a run is to repeat.
     *
     * @param after the part before; 0 for the first
     */
    public RecordedOrder order(AssignmentId assignment, long after) throws InterruptedException {
        return requests.get(
                "assignments/%s/order?after=%d".formatted(assignment, after),
                bearer(),
                RecordedOrder.class);
    }

    /** What the service wishes of the work, besides having taken the report. */
    public ReportReply report(AssignmentId assignment, Report report) throws InterruptedException {
        return report(requests, credential, assignment, report);
    }

    private static ReportReply report(
            Requests requests, Credential credential, AssignmentId assignment, Report report)
            throws InterruptedException {
        return Objects.requireNonNullElse(
                requests.postAndMayHear(
                        "assignments/" + assignment + "/events",
                        credential.text(),
                        report,
                        ReportReply.class),
                ReportReply.NONE);
    }

    /** Returns when the service has it on its disk. */
    void keepCheckpoint(
            AssignmentId assignment, CheckpointHeader header, Supplier<InputStream> content)
            throws InterruptedException {
        requests.put(
                "assignments/%s/checkpoints/%d".formatted(assignment, header.epoch()),
                bearer(),
                content,
                header.fileBytes());
    }

    /**
     * What the reader makes of the checkpoint with which the assignment begins.
     *
     * @throws CheckpointReader.Corrupt where the reader found it so
     */
    <T> T checkpoint(AssignmentId assignment, Requests.Reader<T> reader)
            throws InterruptedException, CheckpointReader.Corrupt {
        return requests.download(
                "assignments/%s/checkpoint".formatted(assignment), bearer(), reader);
    }

    /** Says good-bye. */
    public void leave() throws InterruptedException {
        requests.delete(own(""), bearer(), LEAVE_TIMEOUT);
    }

    private String own(String call) {
        return "agents/" + admission.worker() + call;
    }

    private String bearer() {
        return credential.text();
    }
}
