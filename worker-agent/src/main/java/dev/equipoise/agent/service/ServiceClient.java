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
import dev.equipoise.protocol.NextCredential;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.JsonNode;

/**
 * The service as one registered worker reaches it. Every call may throw {@link ServiceFailed}; any
 * thread may call.
 */
public final class ServiceClient {

    private static final Logger log = LoggerFactory.getLogger(ServiceClient.class);
    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(2);

    /** Shorter than the service takes silence, as no heartbeat is sent meanwhile. */
    private static final Duration RENEWAL_TIMEOUT = Duration.ofSeconds(3);

    private final URI service;
    private final Requests requests;
    private final Admission admission;

    /** By which journals know the worker. */
    private final Credential first;

    private volatile Bearer bearer;

    /** Offered to the service, which may not know it yet. Only who renews uses it. */
    private @Nullable Credential offered;

    /**
     * By what the worker goes.
     *
     * @param before what it went by before, which a service that is restored from yesterday knows;
     *     null where there was nothing
     */
    private record Bearer(Credential credential, @Nullable Earlier before) {

        private record Earlier(Credential credential, Journals journals) {}

        String text() {
            return credential.text();
        }
    }

    private ServiceClient(
            URI service, Requests requests, Credential credential, Admission admission) {
        this.service = service;
        this.requests = requests;
        this.first = credential;
        this.bearer = new Bearer(credential, null);
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
                        var _ =
                                report(
                                        requests,
                                        owner.credential().text(),
                                        owner.assignment(),
                                        report);
                    },
                    BackOff.DEFAULT,
                    time,
                    threads);
        }
    }

    /** In which it is kept what the service has not heard yet of an assignment. */
    public Journal journal(Journals journals, Assignment assignment) {
        return journals.of(service, first, assignment.id(), assignment.generation());
    }

    /**
     * Goes by another credential, as soon as the service has taken it and it is on the disk for who
     * comes after this process. Until then the present one is good, and the same is offered again:
     * an answer that is lost does no harm. One thread at a time may call.
     */
    public void renew(Journals journals, Supplier<Credential> another) throws InterruptedException {
        Credential next = Objects.requireNonNullElseGet(offered, another);
        offered = next;
        requests.put(own("/credential"), bearer.text(), new NextCredential(next), RENEWAL_TIMEOUT);
        if (goBy(next, journals)) {
            offered = null;
            log.info("going by another credential");
        }
    }

    private synchronized boolean goBy(Credential next, Journals journals) {
        boolean isOnDisk = journals.renew(first, next);
        if (isOnDisk) {
            bearer = new Bearer(next, new Bearer.Earlier(bearer.credential(), journals));
        }
        return isOnDisk;
    }

    public Admission admission() {
        return admission;
    }

    public HeartbeatReply heartbeat(Heartbeat heartbeat) throws InterruptedException {
        return call(by -> requests.post(own("/heartbeat"), by, heartbeat, HeartbeatReply.class));
    }

    /** The last heartbeat, for which a worker that leaves does not wait long. */
    public void drain(Heartbeat heartbeat) throws InterruptedException {
        requests.post(own("/heartbeat"), bearer.text(), heartbeat, DRAIN_TIMEOUT);
    }

    /** Waits at the service for work; what this agent is too old for it gives back at once. */
    public Optional<Assignment> lease(Duration wait) throws InterruptedException {
        String path = own("/lease?wait=" + wait.toSeconds());
        Optional<JsonNode> work =
                call(by -> Optional.ofNullable(requests.poll(path, by, wait, JsonNode.class)));
        return work.isEmpty() ? Optional.empty() : understood(work.get());
    }

    private Optional<Assignment> understood(JsonNode work) throws InterruptedException {
        try {
            return Optional.ofNullable(requests.as(Assignment.class, work));
        } catch (DatabindException e) {
            giveBack(UnreadAssignment.of(work, e).orElseThrow(() -> requests.unreadable(e)));
            return Optional.empty();
        }
    }

    /** Where that is not heard, the service hands it out again. */
    private void giveBack(UnreadAssignment assignment) throws InterruptedException {
        log.warn("assignment {} given back: {}", assignment.id(), assignment.why());
        try {
            var _ = report(assignment.id(), assignment.report());
        } catch (ServiceFailed e) {
            if (e.isUnauthenticated()) {
                throw e;
            }
            log.warn("{}", e.getMessage());
        }
    }

    /**
     * A part of the order of events that a run is to repeat.
     *
     * @param after the part before; 0 for the first
     */
    public RecordedOrder order(AssignmentId assignment, long after) throws InterruptedException {
        String path = "assignments/%s/order?after=%d".formatted(assignment, after);
        return call(by -> requests.get(path, by, RecordedOrder.class));
    }

    /** What the service wishes of the work, besides having taken the report. */
    public ReportReply report(AssignmentId assignment, Report report) throws InterruptedException {
        return call(by -> report(requests, by, assignment, report));
    }

    private static ReportReply report(
            Requests requests, String bearer, AssignmentId assignment, Report report)
            throws InterruptedException {
        return Objects.requireNonNullElse(
                requests.postAndMayHear(
                        "assignments/" + assignment + "/events", bearer, report, ReportReply.class),
                ReportReply.NONE);
    }

    /** Returns when the service has it on its disk. */
    void keepCheckpoint(
            AssignmentId assignment, CheckpointHeader header, Supplier<InputStream> content)
            throws InterruptedException {
        String path = "assignments/%s/checkpoints/%d".formatted(assignment, header.epoch());
        call(by -> {
            requests.put(path, by, content, header.fileBytes());
            return true;
        });
    }

    /**
     * What the reader makes of a rank's part of the checkpoint with which the assignment begins.
     *
     * @throws CheckpointReader.Corrupt where the reader found it so
     */
    <T> T checkpoint(AssignmentId assignment, int part, Requests.Reader<T> reader)
            throws InterruptedException, CheckpointReader.Corrupt {
        String path = "assignments/%s/checkpoint/%d".formatted(assignment, part);
        return call(by -> requests.download(path, by, reader));
    }

    /** Says good-bye. */
    public void leave() throws InterruptedException {
        requests.delete(own(""), bearer.text(), LEAVE_TIMEOUT);
    }

    /** What is asked by a credential. */
    @FunctionalInterface
    private interface Call<T, X extends Exception> {
        T by(String bearer) throws InterruptedException, X;
    }

    /**
     * What was asked by a credential whose place another took meanwhile is asked again, and by the
     * one before where the service knows neither.
     */
    private <T, X extends Exception> T call(Call<T, X> call) throws InterruptedException, X {
        Bearer present = bearer;
        try {
            return call.by(present.text());
        } catch (ServiceFailed e) {
            if (!e.isUnauthenticated()) {
                throw e;
            }
            return present.equals(bearer) ? callAsBefore(call, present, e) : call.by(bearer.text());
        }
    }

    private <T, X extends Exception> T callAsBefore(
            Call<T, X> call, Bearer present, ServiceFailed refusal) throws InterruptedException, X {
        Bearer.Earlier earlier = present.before();
        if (earlier == null) {
            throw refusal;
        }
        T answer = call.by(earlier.credential().text());
        goBack(present, earlier);
        return answer;
    }

    /** Of several that were refused one does. */
    private synchronized void goBack(Bearer present, Bearer.Earlier earlier) {
        if (present.equals(bearer) && earlier.journals().renew(first, earlier.credential())) {
            bearer = new Bearer(earlier.credential(), null);
            log.info("going by the credential before, as the service knows no other");
        }
    }

    private String own(String call) {
        return "agents/" + admission.worker() + call;
    }
}
