package dev.equipoise.agent.service;

import dev.equipoise.agent.checkpoint.CheckpointReader;
import dev.equipoise.agent.time.ExponentialBackoff;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.Admission;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.HeartbeatReply;
import dev.equipoise.protocol.ModelScore;
import dev.equipoise.protocol.NextCredential;
import dev.equipoise.protocol.ProblemCode;
import dev.equipoise.protocol.RecordedOrder;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.ReleaseVersion;
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
 * Client of the service for one registered worker. Every call may throw {@link ServiceFailed}; any
 * thread may call.
 */
public final class ServiceClient {

    private static final Logger log = LoggerFactory.getLogger(ServiceClient.class);
    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(2);

    /** Shorter than the session timeout, since no heartbeat is sent meanwhile. */
    private static final Duration RENEWAL_TIMEOUT = Duration.ofSeconds(3);

    private final URI service;
    private final Requests requests;
    private final Admission admission;
    private final Outage outage = new Outage();

    /** Credential at registration, which journals contain. */
    private final Credential first;

    private volatile Bearer bearer;

    /**
     * Credential offered to the service, which may not know it yet. Only the renewing thread uses
     * it.
     */
    private @Nullable Credential offered;

    /**
     * Current credential.
     *
     * @param before previous credential, which a service that was restored from a backup knows;
     *     null without one
     */
    private record Bearer(Credential credential, @Nullable Earlier before) {

        private record Earlier(Credential credential, CredentialStore store) {}

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
     * Registers a new worker with a join token, or a returning worker with its credential. A lost
     * answer does no harm: the same bearer and registration give the same worker. Rejects a service
     * whose protocol does not fit, as the service may be too old to do so; it then has the worker,
     * which sends no heartbeat.
     *
     * @param timeout time to wait for an answer
     * @param token join token, or the credential of the registration
     */
    public static ServiceClient register(
            ServiceEndpoint service, Duration timeout, String token, Registration registration)
            throws InterruptedException {
        var requests = new Requests(service, timeout);
        Admission admission = requests.post("agents", token, registration, Admission.class);
        requireCompatible(admission);
        return new ServiceClient(service.address(), requests, registration.credential(), admission);
    }

    private static void requireCompatible(Admission admission) {
        ReleaseVersion.mismatch(ReleaseVersion.OWN, admission.release())
                .map(reason -> new Verdict.Rejected(ProblemCode.INCOMPATIBLE_VERSION, reason))
                .ifPresent(verdict -> {
                    throw ServiceFailed.of(verdict, null);
                });
    }

    /** Reports events that earlier agents could not report, in threads of the executor. */
    public static void reportUnsent(
            ServiceEndpoint service,
            Duration timeout,
            Journals journals,
            Time time,
            Executor threads) {
        var requests = new Requests(service, timeout);
        for (Journal.Unsent unsent : journals.left(service.address())) {
            Journal.Owner owner = unsent.owner();
            log.info("reporting events of an earlier agent for assignment {}", owner.assignment());
            Reporter.reportUnsent(
                    unsent,
                    report -> {
                        var _ =
                                report(
                                        requests,
                                        owner.credential().text(),
                                        owner.assignment(),
                                        report);
                    },
                    ExponentialBackoff.DEFAULT,
                    time,
                    threads);
        }
    }

    /** Creates the journal of an assignment. */
    public Journal journal(Journals journals, Assignment assignment) {
        return journals.of(service, first, assignment.id(), assignment.generation());
    }

    /**
     * Replaces the credential, once the service has taken the new one and it is on disk for a later
     * process. Until then the current one stays valid, and the same new one is offered again: a
     * lost answer does no harm. One thread at a time may call.
     */
    public void renew(CredentialStore store, Supplier<Credential> another)
            throws InterruptedException {
        Credential next = Objects.requireNonNullElseGet(offered, another);
        offered = next;
        offer(next);
        if (use(next, store)) {
            offered = null;
            log.info("credential renewed");
        }
    }

    private void offer(Credential next) throws InterruptedException {
        String kind = "credential renewal";
        try {
            requests.put(
                    own("/credential"), bearer.text(), new NextCredential(next), RENEWAL_TIMEOUT);
            outage.answered(kind);
        } catch (ServiceFailed e) {
            outage.failed(kind, e);
            throw e;
        }
    }

    private synchronized boolean use(Credential next, CredentialStore store) {
        boolean isOnDisk = store.renew(first, next);
        if (isOnDisk) {
            bearer = new Bearer(next, new Bearer.Earlier(bearer.credential(), store));
        }
        return isOnDisk;
    }

    public Admission admission() {
        return admission;
    }

    public HeartbeatReply heartbeat(Heartbeat heartbeat) throws InterruptedException {
        return call(
                "heartbeat",
                by -> requests.post(own("/heartbeat"), by, heartbeat, HeartbeatReply.class));
    }

    /** Sends the last heartbeat, with a short timeout for a leaving worker. */
    public void drain(Heartbeat heartbeat) throws InterruptedException {
        HeartbeatReply _ =
                requests.post(
                        own("/heartbeat"),
                        bearer.text(),
                        heartbeat,
                        DRAIN_TIMEOUT,
                        HeartbeatReply.class);
    }

    /**
     * Waits at the service for an assignment; rejects at once one that this agent is too old for.
     */
    public Optional<Assignment> lease(Duration wait) throws InterruptedException {
        String path = own("/lease?wait=" + wait.toSeconds());
        Optional<Leased> leased = call("lease", by -> poll(path, by, wait));
        if (leased.isEmpty()) {
            return Optional.empty();
        }
        return switch (leased.get()) {
            case Leased.Read it -> Optional.of(it.assignment());
            case Leased.Unread it -> {
                reject(it.assignment());
                yield Optional.empty();
            }
        };
    }

    /** Assignment from the service. */
    private sealed interface Leased {

        record Read(Assignment assignment) implements Leased {}

        record Unread(UnreadAssignment assignment) implements Leased {}
    }

    private Optional<Leased> poll(String path, String bearer, Duration wait)
            throws InterruptedException {
        JsonNode json = requests.poll(path, bearer, wait, JsonNode.class);
        return json == null ? Optional.empty() : Optional.of(parse(json));
    }

    private Leased parse(JsonNode json) {
        try {
            Assignment assignment = requests.as(Assignment.class, json);
            if (assignment == null) {
                throw requests.unreadable(null);
            }
            return new Leased.Read(assignment);
        } catch (DatabindException e) {
            return new Leased.Unread(
                    UnreadAssignment.of(json, e).orElseThrow(() -> requests.unreadable(e)));
        }
    }

    /** Reports that the agent is too old; if that fails, the service assigns the work again. */
    private void reject(UnreadAssignment assignment) throws InterruptedException {
        log.warn("assignment {} rejected: {}", assignment.id(), assignment.why());
        try {
            var _ = report(assignment.id(), assignment.report());
        } catch (ServiceFailed e) {
            if (e.isUnauthenticated()) {
                throw e;
            }
            if (!e.isTemporary()) {
                log.warn("{}", e.getMessage());
            }
        }
    }

    /**
     * Fetches a part of the execution order that a replay follows.
     *
     * @param after position of the part before; 0 for the first
     */
    public RecordedOrder order(AssignmentId assignment, long after) throws InterruptedException {
        String path = "assignments/%s/order?after=%d".formatted(assignment, after);
        return call("recorded order", by -> requests.get(path, by, RecordedOrder.class));
    }

    /** Reports events; returns the reply, which may ask the ranks to stop or to suspend. */
    public ReportReply report(AssignmentId assignment, Report report) throws InterruptedException {
        return call("report", by -> report(requests, by, assignment, report));
    }

    private static ReportReply report(
            Requests requests, String bearer, AssignmentId assignment, Report report)
            throws InterruptedException {
        return Objects.requireNonNullElse(
                requests.postForOptional(
                        "assignments/" + assignment + "/events", bearer, report, ReportReply.class),
                ReportReply.NONE);
    }

    /**
     * Stores a part of a checkpoint; returns when the service has it on disk. The caller logs a
     * failure.
     */
    void keepCheckpoint(
            AssignmentId assignment, CheckpointHeader header, Supplier<InputStream> content)
            throws InterruptedException {
        String path = "assignments/%s/checkpoints/%d".formatted(assignment, header.epoch());
        authenticated(by -> {
            requests.put(path, by, content, header.fileBytes());
            return true;
        });
    }

    /**
     * Reads a rank's part of the checkpoint from which the assignment resumes.
     *
     * @throws CheckpointReader.Corrupt when the reader finds it corrupt
     */
    <T> T checkpoint(AssignmentId assignment, int part, Requests.Reader<T> reader)
            throws InterruptedException, CheckpointReader.Corrupt {
        String path = "assignments/%s/checkpoint/%d".formatted(assignment, part);
        return call("checkpoint", by -> requests.download(path, by, reader));
    }

    /**
     * Stores the model of a rank; returns when the service has it on disk, or has a better one. The
     * caller logs a failure.
     */
    void keepModel(AssignmentId assignment, int rank, ModelScore score, Requests.Upload file)
            throws InterruptedException {
        String path =
                "assignments/%s/model/%d?rank=%d&accuracy=%s&loss=%s"
                        .formatted(assignment, score.epoch(), rank, score.accuracy(), score.loss());
        authenticated(by -> {
            requests.put(path, by, file);
            return true;
        });
    }

    /**
     * Reads the model with whose weights the run of an assignment begins.
     *
     * @throws CheckpointReader.Corrupt when the reader finds it corrupt
     */
    <T> T initialModel(AssignmentId assignment, Requests.SizedReader<T> reader)
            throws InterruptedException, CheckpointReader.Corrupt {
        String path = "assignments/%s/initial-model".formatted(assignment);
        return call("initial model", by -> requests.downloadSized(path, by, reader));
    }

    /** Tells the service that the worker leaves. */
    public void leave() throws InterruptedException {
        requests.delete(own(""), bearer.text(), LEAVE_TIMEOUT);
    }

    /** Request that needs a credential. */
    @FunctionalInterface
    private interface Call<T, X extends Exception> {
        T by(String bearer) throws InterruptedException, X;
    }

    /** Logs an outage of a kind of call. */
    private <T, X extends Exception> T call(String kind, Call<T, X> call)
            throws InterruptedException, X {
        try {
            T answer = authenticated(call);
            outage.answered(kind);
            return answer;
        } catch (ServiceFailed e) {
            outage.failed(kind, e);
            throw e;
        }
    }

    /**
     * Repeats a request that failed because its credential was replaced meanwhile; if the service
     * does not know the current credential, tries the previous one.
     */
    private <T, X extends Exception> T authenticated(Call<T, X> call)
            throws InterruptedException, X {
        Bearer current = bearer;
        try {
            return call.by(current.text());
        } catch (ServiceFailed e) {
            if (!e.isUnauthenticated()) {
                throw e;
            }
            return current.equals(bearer)
                    ? callWithEarlier(call, current, e)
                    : call.by(bearer.text());
        }
    }

    private <T, X extends Exception> T callWithEarlier(
            Call<T, X> call, Bearer current, ServiceFailed failure) throws InterruptedException, X {
        Bearer.Earlier earlier = current.before();
        if (earlier == null) {
            throw failure;
        }
        T answer = call.by(earlier.credential().text());
        useEarlier(current, earlier);
        return answer;
    }

    /** Returns to the previous credential; of several rejected requests only one does so. */
    private synchronized void useEarlier(Bearer current, Bearer.Earlier earlier) {
        if (current.equals(bearer) && earlier.store().renew(first, earlier.credential())) {
            bearer = new Bearer(earlier.credential(), null);
            log.info("returned to the previous credential, since the service knows no other");
        }
    }

    private String own(String call) {
        return "agents/" + admission.worker() + call;
    }
}
