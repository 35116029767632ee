package dev.equipoise.agent.lifecycle;

import dev.equipoise.agent.service.TestingService;
import dev.equipoise.agent.service.TestingService.Answer;
import dev.equipoise.agent.service.TestingService.Request;
import dev.equipoise.protocol.Admission;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.Heartbeat;
import dev.equipoise.protocol.HeartbeatReply;
import dev.equipoise.protocol.NextCredential;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.ProbeRequest;
import dev.equipoise.protocol.ProbeResult;
import dev.equipoise.protocol.ProtocolVersion;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.Report;
import dev.equipoise.protocol.ReportReply;
import dev.equipoise.protocol.SoftwareVersion;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Minimal service that keeps agents busy. */
final class TestingLab implements AutoCloseable {

    static final String JOIN_TOKEN = "eqj_test";

    private final JsonMapper json = JsonMapper.builder().build();
    private final TestingService service = TestingService.answering(this::answer);
    private final List<Worker> workers = new CopyOnWriteArrayList<>();
    private final Map<AssignmentId, List<AgentEvent>> events = new ConcurrentHashMap<>();
    private final Set<AssignmentId> revoked = ConcurrentHashMap.newKeySet();
    private final Set<WorkerId> forgotten = ConcurrentHashMap.newKeySet();
    private final Map<WorkerId, Set<WorkerId>> seenBy = new ConcurrentHashMap<>();
    private final Set<WorkerId> toRejoin = ConcurrentHashMap.newKeySet();
    private final Set<WorkerId> toRenew = ConcurrentHashMap.newKeySet();
    private final Map<WorkerId, Credentials> credentials = new ConcurrentHashMap<>();
    private final Set<WorkerId> dismissed = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean silent = new AtomicBoolean();
    private final AtomicReference<List<Answer>> proxy = new AtomicReference<>(List.of());
    private final AtomicInteger answeredByProxy = new AtomicInteger();
    private final AtomicBoolean hidesMembers = new AtomicBoolean();
    private final AtomicBoolean losesAdmission = new AtomicBoolean();
    private final AtomicBoolean refusesReturns = new AtomicBoolean();
    private final AtomicReference<@Nullable ProtocolVersion> protocol =
            new AtomicReference<@Nullable ProtocolVersion>(ProtocolVersion.OWN);
    private final Set<WorkerId> draining = ConcurrentHashMap.newKeySet();
    private final Map<AssignmentId, Set<WorkerId>> drainingAtEnd = new ConcurrentHashMap<>();
    private final Set<AssignmentId> preempted = ConcurrentHashMap.newKeySet();
    private final Map<String, Answer> checkpoint = new ConcurrentHashMap<>();
    private final Set<WorkerId> left = ConcurrentHashMap.newKeySet();
    private final AtomicInteger returns = new AtomicInteger();
    private final AtomicReference<@Nullable Answer> nextLeave = new AtomicReference<>();
    private final Map<WorkerId, List<ProbeRequest>> toProbe = new ConcurrentHashMap<>();
    private final Map<WorkerId, List<ProbeResult>> probed = new ConcurrentHashMap<>();

    /** Current credential of a worker, and the one that it offers next. */
    private record Credentials(String present, @Nullable String next) {}

    /** Registered agent. */
    private record Worker(WorkerId id, Registration registration, BlockingQueue<Assignment> work) {}

    URI url() {
        return service.url();
    }

    /** Returns the workers in the order of registration. */
    List<WorkerId> workers() {
        return workers.stream().map(Worker::id).toList();
    }

    /** Returns how often agents have registered with the credential of a worker. */
    int returns() {
        return returns.get();
    }

    Registration registration(WorkerId worker) {
        return worker(worker.toString()).registration();
    }

    void assign(WorkerId worker, Assignment assignment) {
        worker(worker.toString()).work().add(assignment);
    }

    void revoke(AssignmentId assignment) {
        revoked.add(assignment);
    }

    void forget(WorkerId worker) {
        forgotten.add(worker);
    }

    /** Sets whether the service leaves requests unanswered. */
    void silent(boolean value) {
        silent.set(value);
    }

    /**
     * Puts a proxy before the service, which gives these answers in turn and forwards no request;
     * without any answers it forwards all.
     */
    void behind(List<Answer> answers) {
        answeredByProxy.set(0);
        proxy.set(answers);
    }

    /** Returns how many requests the present proxy has answered. */
    int answeredByProxy() {
        return answeredByProxy.get();
    }

    /** Lets a proxy answer the next call of an agent that leaves. */
    void answerNextLeave(Answer answer) {
        nextLeave.set(answer);
    }

    /** Asks the ranks of an assignment to stop after an epoch. */
    void preempt(AssignmentId assignment) {
        preempted.add(assignment);
    }

    /** Hides the members from new agents, which then start clusters of their own. */
    void keepMembersSecret() {
        hidesMembers.set(true);
    }

    /** Admits the next new agent, but loses the answer. */
    void loseNextAdmission() {
        losesAdmission.set(true);
    }

    /** Forbids workers to register by their credential, as services of protocol 0.1 do. */
    void refuseReturns() {
        refusesReturns.set(true);
    }

    /** Sets the protocol version that the service reports; null as of services before 0.2. */
    void speak(@Nullable ProtocolVersion version) {
        protocol.set(version);
    }

    void askToRejoin(WorkerId worker) {
        toRejoin.add(worker);
    }

    /** Asks the worker for a new credential until it uses one. */
    void askToRenew(WorkerId worker) {
        toRenew.add(worker);
    }

    /** Returns whether the worker uses a credential that it was asked for. */
    boolean hasRenewed(WorkerId worker) {
        return !toRenew.contains(worker);
    }

    /** Asks the worker with its next heartbeat to try the addresses of others. */
    void askToProbe(WorkerId worker, List<ProbeRequest> requests) {
        toProbe.put(worker, requests);
    }

    /** Returns the results of probes of all heartbeats of the worker. */
    List<ProbeResult> probed(WorkerId worker) {
        return List.copyOf(probed.getOrDefault(worker, List.of()));
    }

    /** Asks the worker to leave. */
    void dismiss(WorkerId worker) {
        dismissed.add(worker);
    }

    /** Returns the cluster view of the worker's last heartbeat. */
    Set<WorkerId> seenBy(WorkerId worker) {
        return seenBy.getOrDefault(worker, Set.of());
    }

    List<AgentEvent> events(AssignmentId assignment) {
        return List.copyOf(events.getOrDefault(assignment, List.of()));
    }

    /** Returns whether the worker takes no new work. */
    boolean isDraining(WorkerId worker) {
        return draining.contains(worker);
    }

    /** Returns the workers that took no new work when this assignment ended. */
    Set<WorkerId> drainingAtEnd(AssignmentId assignment) {
        return drainingAtEnd.getOrDefault(assignment, Set.of());
    }

    boolean hasLeft(WorkerId worker) {
        return left.contains(worker);
    }

    @Override
    public void close() {
        service.close();
    }

    private Answer answer(Request request) {
        if (silent.get()) {
            return Answer.LOST;
        }
        List<Answer> answers = proxy.get();
        if (!answers.isEmpty()) {
            return answers.get(answeredByProxy.getAndIncrement() % answers.size());
        }
        String[] path = request.path().replaceFirst("/api/v1/", "").split("[/?]", -1);
        if (refusesReturns.get() && path.length == 1 && request.bearer().startsWith("eqw_")) {
            return Answer.problem(403, "forbidden", "the token does not allow this");
        }
        if (!isKnown(request.bearer())) {
            return Answer.problem(401, "unauthenticated", "the credential is not known");
        }
        if (request.method().equals("PUT") && request.path().endsWith("/credential")) {
            return renew(WorkerId.of(UUID.fromString(path[1])), request);
        }
        if (request.method().equals("PUT")) {
            return storePart(request);
        }
        if (path.length > 1 && path[path.length - 2].equals("checkpoint")) {
            return checkpoint.getOrDefault(
                    path[path.length - 1],
                    Answer.problem(404, "not-found", "there is no such part"));
        }
        if (path[0].equals("assignments")) {
            return record(
                    AssignmentId.of(UUID.fromString(path[1])),
                    json.readValue(request.body(), Report.class));
        }
        if (path.length == 1) {
            return admit(request);
        }
        return answer(request, worker(path[1]));
    }

    private Answer storePart(Request request) {
        byte[] header =
                Arrays.copyOf(
                        request.body().getBytes(StandardCharsets.ISO_8859_1),
                        CheckpointHeader.BYTES);
        checkpoint.put(
                Integer.toString(CheckpointHeader.read(header).rank()),
                Answer.bytes(request.body()));
        return Answer.NO_CONTENT;
    }

    /** Returns whether a credential is valid; a new one makes the previous one invalid. */
    private boolean isKnown(String bearer) {
        credentials.forEach((worker, own) -> {
            if (bearer.equals(own.next())) {
                credentials.put(worker, new Credentials(bearer, null));
                toRenew.remove(worker);
            }
        });
        return bearer.startsWith("eqj_")
                || credentials.values().stream().anyMatch(it -> it.present().equals(bearer));
    }

    private Answer renew(WorkerId worker, Request request) {
        String next = json.readValue(request.body(), NextCredential.class).credential().text();
        credentials.put(worker, new Credentials(request.bearer(), next));
        return Answer.NO_CONTENT;
    }

    private Answer admit(Request request) {
        var registration = json.readValue(request.body(), Registration.class);
        if (request.bearer().startsWith("eqw_")) {
            return comeBack(request.bearer(), registration);
        }
        if (!request.bearer().equals(JOIN_TOKEN)) {
            return Answer.problem(401, "unauthenticated", "the join token is not known");
        }
        List<String> members = hidesMembers.get() ? List.of() : members();
        WorkerId id =
                workers.stream()
                        .filter(it -> it.registration().equals(registration))
                        .findFirst()
                        .orElseGet(() -> newWorker(registration))
                        .id();
        return losesAdmission.getAndSet(false)
                ? Answer.LOST
                : json(
                        new Admission(
                                id,
                                "lab-" + url().getPort(),
                                members,
                                SoftwareVersion.OWN,
                                protocol.get()));
    }

    private Answer comeBack(String credential, Registration registration) {
        Worker known =
                workers.stream()
                        .filter(it -> !forgotten.contains(it.id()))
                        .filter(it -> credential.equals(presentCredential(it.id())))
                        .findFirst()
                        .orElse(null);
        if (known == null) {
            return Answer.problem(401, "unauthenticated", "the credential is not known");
        }
        workers.set(workers.indexOf(known), new Worker(known.id(), registration, known.work()));
        left.remove(known.id());
        draining.remove(known.id());
        seenBy.remove(known.id());
        returns.incrementAndGet();
        return json(new Admission(known.id(), "lab-" + url().getPort(), List.of()));
    }

    private @Nullable String presentCredential(WorkerId worker) {
        Credentials own = credentials.get(worker);
        return own == null ? null : own.present();
    }

    private Worker newWorker(Registration registration) {
        var worker =
                new Worker(
                        WorkerId.of(UUID.randomUUID()), registration, new LinkedBlockingQueue<>());
        workers.add(worker);
        credentials.put(worker.id(), new Credentials(registration.credential().text(), null));
        return worker;
    }

    private Answer answer(Request request, Worker worker) {
        if (forgotten.contains(worker.id())) {
            return Answer.problem(401, "unauthenticated", "the credential is not known");
        }
        if (request.method().equals("DELETE")) {
            Answer other = nextLeave.getAndSet(null);
            if (other != null) {
                return other;
            }
            left.add(worker.id());
            return Answer.NO_CONTENT;
        }
        if (request.path().endsWith("/heartbeat")) {
            record(worker.id(), json.readValue(request.body(), Heartbeat.class));
            return json(
                    new HeartbeatReply(
                            toRejoin.remove(worker.id()),
                            dismissed.contains(worker.id()),
                            toRenew.contains(worker.id()),
                            members(),
                            Optional.ofNullable(toProbe.remove(worker.id())).orElse(List.of())));
        }
        return lease(worker);
    }

    private void record(WorkerId worker, Heartbeat heartbeat) {
        seenBy.put(worker, heartbeat.sees());
        probed.computeIfAbsent(worker, _ -> new CopyOnWriteArrayList<>())
                .addAll(heartbeat.probes());
        if (heartbeat.draining()) {
            draining.add(worker);
        }
    }

    private Answer lease(Worker worker) {
        try {
            Assignment assignment = worker.work().poll(200, TimeUnit.MILLISECONDS);
            return assignment == null ? Answer.NO_CONTENT : json(assignment);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Answer.NO_CONTENT;
        }
    }

    private Answer record(AssignmentId assignment, Report report) {
        if (revoked.contains(assignment)) {
            return Answer.problem(409, "stale-generation", "the assignment has moved on");
        }
        events.computeIfAbsent(assignment, _ -> new CopyOnWriteArrayList<>())
                .addAll(report.events());
        if (report.events().stream().anyMatch(Outcome.class::isInstance)) {
            drainingAtEnd.put(assignment, Set.copyOf(draining));
        }
        return preempted.contains(assignment)
                ? json(new ReportReply(true, false))
                : Answer.NO_CONTENT;
    }

    private List<String> members() {
        return workers.stream().map(worker -> worker.registration().clusterAddress()).toList();
    }

    private Answer json(Object value) {
        return Answer.ok(json.writeValueAsString(value));
    }

    private Worker worker(String id) {
        return workers.stream()
                .filter(worker -> worker.id().toString().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
