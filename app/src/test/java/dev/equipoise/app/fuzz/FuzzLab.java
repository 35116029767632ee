package dev.equipoise.app.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.Answer;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingEpochs;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.checkpoint.TestingModels;
import dev.equipoise.app.schedule.TestingSchedulerLoop;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.ModelScore;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RunReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import tools.jackson.databind.JsonNode;

/**
 * The lab that a round of the fuzzer meets: two projects, users and tokens of every role, a
 * completed run with its workers and profile, an imported experiment, and a run in training. What
 * random requests may destroy is created anew when it is needed again.
 */
final class FuzzLab {

    /** The password of all users of {@link TestingLab}. */
    static final String PASSWORD = "a long enough one";

    static final MediaType ZIP = MediaType.valueOf("application/zip");

    private static final MediaType CSV = MediaType.valueOf("text/csv");
    private static final int EPOCHS = 3;
    private static final int ATTEMPTS = 5;

    /** The age from which a credential may be renewed. */
    private static final Duration CREDENTIAL_AGE = Duration.ofMinutes(1);

    private final TestingLab lab;
    private final BeanFactory service;
    private final IdPool ids;

    private final TestingLab.Project project;
    private final TestingLab.Project other;
    private final TestingLab.User viewer;
    private final List<Caller> members;
    private final TestingAgent renewing;
    private final Completed completed;
    private final String recorded;
    private final byte[] bundle;
    private final String imported;
    private @Nullable Session session;
    private List<Rank> training = List.of();
    private int names;

    FuzzLab(TestingLab lab, BeanFactory service, IdPool ids) {
        this.lab = lab;
        this.service = service;
        this.ids = ids;
        project = lab.project();
        other = lab.project();
        viewer = lab.user();
        lab.administrator()
                .put(
                        "/projects/" + project.id() + "/members/" + viewer.id(),
                        Map.of("role", "viewer"))
                .expect(200);
        members =
                List.of(
                        Caller.bearer("OWNER", lab.member(project, "owner").bearer()),
                        Caller.bearer("EDITOR", project.member().bearer()),
                        Caller.bearer("VIEWER", viewer.client().bearer()),
                        Caller.bearer("STRANGER", other.member().bearer()));
        renewing = lab.join(name());
        ids.protect(renewing.id().toString());
        lab.advance(CREDENTIAL_AGE, List.of(renewing));
        completed = complete();
        recorded = project.submitOne(recordedDefinition(name()));
        bundle = project.member().bytes("/experiments/" + completed.experiment() + "/bundle");
        imported =
                other.member()
                        .post("/projects/" + other.id() + "/bundles", bundle, ZIP)
                        .expect(201)
                        .path("id")
                        .stringValue();
        protect();
    }

    /** A completed run. */
    private record Completed(String run, String experiment, String worker, String profile) {}

    /** A user with a session of a browser. */
    record Session(TestingLab.User user, Caller caller) {}

    /** A rank of a run in training, whose agent has reported a number of events. */
    static final class Rank {

        private final TestingAgent agent;
        private final Assignment.Training part;
        private long reported;

        private Rank(TestingAgent agent, Assignment.Training part) {
            this.agent = agent;
            this.part = part;
        }

        TestingAgent agent() {
            return agent;
        }

        Assignment.Training part() {
            return part;
        }

        /** Returns the sequence number of the next event. */
        long next() {
            return reported + 1;
        }

        void reported(int events) {
            reported += events;
        }

        private void tell(AgentEvent event) {
            agent.tell(part, event);
            reported++;
        }
    }

    /** Keeps all that exists now from random changes. */
    private void protect() {
        List.of(project.id(), other.id(), viewer.id(), completed.run(), completed.experiment())
                .forEach(ids::protect);
        List.of(completed.worker(), recorded, imported).forEach(ids::protect);
        protectTokens();
    }

    /** Keeps the tokens of all callers. */
    private void protectTokens() {
        lab.administrator()
                .get("/tokens?limit=500")
                .expect(200)
                .path("items")
                .forEach(it -> ids.protect(it.path("id").stringValue()));
    }

    TestingLab lab() {
        return lab;
    }

    Caller administrator() {
        return Caller.bearer("ADMINISTRATOR", lab.administrator().bearer());
    }

    Caller editor() {
        return members.get(1);
    }

    Caller viewerCaller() {
        return members.get(2);
    }

    /** Returns the callers with every role, and without a valid authentication. */
    List<Caller> callers() {
        List<Caller> callers = new ArrayList<>(members);
        callers.add(administrator());
        callers.add(session().caller());
        callers.add(withoutCsrf(session().caller()));
        callers.add(agent(training().getFirst().agent()));
        callers.add(Caller.NOBODY);
        callers.add(Caller.bearer("NO_TOKEN", "eqp_" + "A".repeat(43)));
        callers.add(new Caller("BASIC", Map.of("Authorization", "Basic YTpi")));
        callers.add(new Caller("EMPTY", Map.of("Authorization", "Bearer ")));
        return callers;
    }

    private static Caller withoutCsrf(Caller caller) {
        String cookie = caller.headers().getOrDefault(HttpHeaders.COOKIE, "");
        return new Caller("SESSION_WITHOUT_CSRF", Map.of(HttpHeaders.COOKIE, cookie));
    }

    Caller agent(TestingAgent agent) {
        return Caller.bearer("AGENT", agent.client().bearer());
    }

    Caller newcomer() {
        return Caller.bearer("NEWCOMER", lab.joinToken());
    }

    String project() {
        return project.id();
    }

    String otherProject() {
        return other.id();
    }

    String viewerUser() {
        return viewer.id();
    }

    String completedRun() {
        return completed.run();
    }

    /** Returns a run that has an execution order, which is empty since no worker fits the run. */
    String recordedRun() {
        return recorded;
    }

    String completedExperiment() {
        return completed.experiment();
    }

    String worker() {
        return completed.worker();
    }

    String profile() {
        return completed.profile();
    }

    String importedExperiment() {
        return imported;
    }

    byte[] bundle() {
        return bundle.clone();
    }

    /** Returns a name that nothing has yet. */
    String name() {
        names++;
        return "fuzzed-%d-%s".formatted(names, UUID.randomUUID());
    }

    /** Stores a definition without runs, and returns the id of the experiment. */
    String define(String name) {
        return project.define(definition(name, "nowhere", false)).path("id").stringValue();
    }

    /** Queues a run that no worker fits, and returns its id. */
    String queue() {
        return project.submitOne(definition(name(), "nowhere", false));
    }

    /**
     * Returns the definition of a run with two replicas on workers with a label. The run stores a
     * checkpoint after each epoch, unless it is traced.
     */
    private static String definition(String name, String room, boolean isTraced) {
        return """
        {"apiVersion": "equipoise/v1", "name": "%s", "dataset": {"name": "mnist", "limit": 2000},
         "network": {"layers": ["flatten", {"dense": 10}]},
         "training": {"epochs": %d, "batchSize": 10},
         "workers": {"replicas": 2, "selector": {"room": "%s"}}, "trace": %b}
        """
                .formatted(name, EPOCHS, room, isTraced);
    }

    private static String recordedDefinition(String name) {
        return """
        {"apiVersion": "equipoise/v1", "name": "%s", "dataset": {"name": "mnist", "limit": 3000},
         "network": {"preset": "mnist-cnn"}, "training": {"epochs": 1, "batchSize": 10},
         "workers": {"replicas": 2, "selector": {"room": "nowhere"}},
         "synchronization": {"kind": "async", "maxStaleness": 2},
         "topology": {"kind": "all-reduce", "algorithm": "ring"}, "record": true}
        """
                .formatted(name);
    }

    /** Returns a worker that waits for work. */
    TestingAgent idleAgent() {
        TestingAgent agent = lab.join(name());
        agent.beat(List.of(agent)).expect(200);
        return agent;
    }

    /** Returns an agent whose credential is old enough to be renewed. */
    TestingAgent renewingAgent() {
        return renewing;
    }

    /** Returns the user of a session, and the caller that the session authenticates. */
    Session session() {
        Session present = session;
        if (present == null) {
            TestingLab.User user = lab.user();
            ids.protect(user.id());
            present = new Session(user, signIn(user));
            session = present;
            protectTokens();
        }
        return present;
    }

    /** Begins another session of the user. */
    Caller signIn(TestingLab.User user) {
        Answer begun =
                lab.nobody().post("/session", Map.of("name", user.name(), "password", PASSWORD));
        String csrf = begun.expect(200).path("csrfToken").stringValue();
        String cookie = String.valueOf(begun.headers().getFirst(HttpHeaders.SET_COOKIE));
        return new Caller(
                "SESSION",
                Map.of(
                        HttpHeaders.COOKIE,
                        cookie.substring(0, cookie.indexOf(';')),
                        "X-CSRF-Token",
                        csrf));
    }

    /** Returns the ranks of a run whose first epoch they have reported. */
    List<Rank> training() {
        if (training.isEmpty()) {
            training = start(false);
            tell(training, new RunReport.ReplicaReady(0, 0.002, "start"));
            tell(training, epoch(1));
        }
        return training;
    }

    /** Drops what random requests may have broken, since a valid request has failed. */
    void renew() {
        session = null;
        training = List.of();
    }

    private Completed complete() {
        List<Rank> ranks = start(true);
        tell(ranks, new RunReport.ReplicaReady(0, 0.002, "start"));
        for (int epoch = 1; epoch <= EPOCHS; epoch++) {
            tell(ranks, traced(epoch));
            tell(ranks, observed(epoch));
            tell(ranks, epoch(epoch));
        }
        storeModel(ranks.getFirst());
        tell(ranks, new Outcome.Finished());
        String run = ranks.getFirst().part().run().toString();
        await().until(() -> project.run(run).path("state").stringValue(), "COMPLETED"::equals);
        TestingAgent agent = ranks.getFirst().agent();
        return new Completed(
                run,
                project.run(run).path("experiment").stringValue(),
                agent.id().toString(),
                storeProfile(agent));
    }

    private static void storeModel(Rank rank) {
        TestingModels.upload(
                        rank.agent().client(),
                        rank.part().id(),
                        rank.part().rank(),
                        new ModelScore(EPOCHS, 0.9, 0.4),
                        TestingModels.file(rank.part().plan().network(), 1))
                .expect(204);
    }

    private static void tell(List<Rank> ranks, AgentEvent event) {
        ranks.forEach(rank -> rank.tell(event));
    }

    private static AgentEvent traced(int epoch) {
        return new RunReport.Traced(
                0,
                epoch,
                RunReport.Strand.MAIN,
                List.of(RunReport.Phase.COMPUTE),
                List.of(1_000_000L * epoch),
                List.of(1_500L),
                0);
    }

    private static AgentEvent observed(int epoch) {
        return new RunReport.Observed(
                0,
                "train/loss",
                1,
                List.of(100L * epoch - 10, 100L * epoch - 5),
                List.of(epoch - 0.2, epoch - 0.1),
                List.of(0.6 / epoch, 0.5 / epoch),
                0);
    }

    private static AgentEvent epoch(int epoch) {
        return TestingEpochs.epoch(
                epoch,
                1000,
                1,
                0.25,
                0.5,
                1.75,
                1000L * epoch,
                0.5 / epoch,
                new EpochFinished.TestScore(0.8 + epoch / 100.0, 0.4),
                "after " + epoch);
    }

    private String storeProfile(TestingAgent agent) {
        return lab.administrator()
                .post("/workers/" + agent.id() + "/profiles", curve().getBytes(UTF_8), CSV)
                .expect(201)
                .path("id")
                .stringValue();
    }

    /** Returns a profile as a file. */
    String curve() {
        return """
        # kernel: training-step:mnist-cnn
        # date: %s
        size,mean_s,reps,ci_s,sd_s
        8,0.01,34,0.0002,0.0006
        16,0.009,34,0.0002,0.0006
        32,0.04,34,0.0002,0.0006
        """
                .formatted(lab.clock().instant());
    }

    /**
     * Starts a run on two new workers. Runs of random requests may take the workers; then it tries
     * again without them.
     */
    private List<Rank> start(boolean isTraced) {
        List<Answer> leased = List.of();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            cancelQueuedRuns();
            String room = "room-" + UUID.randomUUID();
            List<TestingAgent> agents = List.of(inRoom(room), inRoom(room));
            TestingLab.beat(agents);
            ids.protect(project.submitOne(definition(name(), room, isTraced)));
            TestingSchedulerLoop.giveWork(service);
            leased = agents.stream().map(it -> it.lease(0)).toList();
            if (leased.stream().allMatch(FuzzLab::isTraining)) {
                return List.of(
                        rank(agents.getFirst(), leased.getFirst()),
                        rank(agents.getLast(), leased.getLast()));
            }
        }
        throw new AssertionError("no run has started on two new workers: " + leased);
    }

    private TestingAgent inRoom(String room) {
        TestingAgent agent = lab.join(TestingLab.registration(name(), Map.of("room", room)));
        ids.protect(agent.id().toString());
        return agent;
    }

    private static boolean isTraining(Answer leased) {
        return leased.body().path("kind").asString("").equals("training");
    }

    private static Rank rank(TestingAgent agent, Answer leased) {
        return new Rank(agent, (Assignment.Training) agent.work(leased));
    }

    private void cancelQueuedRuns() {
        JsonNode queued = lab.administrator().get("/runs?state=QUEUED&limit=500").expect(200);
        queued.path("items")
                .forEach(run ->
                        lab.administrator()
                                .post("/runs/" + run.path("id").stringValue() + "/cancel"));
    }
}
