package dev.equipoise.app;

import static org.awaitility.Awaitility.await;

import dev.equipoise.app.schedule.TestingSchedulerLoop;
import dev.equipoise.protocol.Admission;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.Registration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.http.HttpHeaders;
import org.springframework.test.web.servlet.client.RestTestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Creates projects, users and agents for a test; {@link #clear} removes them. */
public final class TestingLab {

    @TestConfiguration(proxyBeanMethods = false)
    static class Configuration {

        @Bean
        @Primary
        TestingClock testingClock() {
            return new TestingClock();
        }

        @Bean
        @Primary
        TestingDisk testingDisk() {
            return new TestingDisk();
        }

        @Bean
        TestingLab lab(
                ObjectProvider<RestTestClient> http,
                JsonMapper json,
                TestingClock clock,
                BeanFactory service,
                @Value("${equipoise.account.administrator-token-file}") Path token) {
            return new TestingLab(http, json, clock, service, token);
        }
    }

    /**
     * Shorter than the pause that the service takes for an interruption of its own reception of
     * heartbeats.
     */
    private static final Duration STEP = Duration.ofSeconds(4);

    /** A silence after which a worker is lost: one step and the session timeout. */
    private static final Duration SILENCE = STEP.plusSeconds(11);

    private final ObjectProvider<RestTestClient> http;
    private final JsonMapper json;
    private final TestingClock clock;
    private final BeanFactory service;
    private final Path token;
    private final List<TestingAgent> agents = new ArrayList<>();

    private TestingLab(
            ObjectProvider<RestTestClient> http,
            JsonMapper json,
            TestingClock clock,
            BeanFactory service,
            Path token) {
        this.http = http;
        this.json = json;
        this.clock = clock;
        this.service = service;
        this.token = token;
    }

    /** A project, and the client of an editor. */
    public record Project(String id, TestingClient member) {

        /** Stores a definition and queues its runs. */
        public List<JsonNode> submit(String definition) {
            String experiment = define(definition).path("id").stringValue();
            return List.copyOf(
                    member.post("/experiments/" + experiment + "/runs")
                            .expect(202)
                            .path("items")
                            .values());
        }

        public JsonNode define(String definition) {
            return member.post("/projects/" + id + "/experiments", definition).expect(201);
        }

        public String submitOne(String definition) {
            return submit(definition).getFirst().path("id").stringValue();
        }

        public JsonNode run(String run) {
            return member.get("/runs/" + run).expect(200);
        }

        /** Waits for the prediction of a run that has started. */
        public JsonNode prediction(String run) {
            return await().until(() -> run(run).path("prediction"), JsonNode::isObject);
        }
    }

    public TestingClock clock() {
        return clock;
    }

    public Path administratorToken() {
        return token;
    }

    public TestingClient nobody() {
        return new TestingClient(http.getObject(), json, null);
    }

    public TestingClient administrator() {
        try {
            return nobody().with(Files.readString(token).strip());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    public Project project() {
        String name = "project " + UUID.randomUUID();
        String id =
                administrator()
                        .post("/projects", Map.of("name", name))
                        .expect(201)
                        .path("id")
                        .stringValue();
        JsonNode member =
                administrator()
                        .post("/tokens", Map.of("name", "member", "project", id))
                        .expect(201);
        return new Project(id, nobody().with(member.path("token").stringValue()));
    }

    /** Returns a client with a role in one project. */
    public TestingClient member(Project project, String role) {
        JsonNode token =
                administrator()
                        .post(
                                "/tokens",
                                Map.of("name", role, "project", project.id(), "role", role))
                        .expect(201);
        return nobody().with(token.path("token").stringValue());
    }

    /** A user with the client of a user token. */
    public record User(String id, String name, String password, TestingClient client) {}

    public User user() {
        String name = "user-" + UUID.randomUUID();
        String password = "a long enough one";
        Map<String, String> credentials = Map.of("name", name, "password", password);
        JsonNode user = administrator().post("/users", credentials).expect(201);
        Answer session = nobody().post("/session", credentials);
        String cookie = String.valueOf(session.headers().getFirst(HttpHeaders.SET_COOKIE));
        JsonNode token =
                nobody().withHeader(HttpHeaders.COOKIE, cookie.substring(0, cookie.indexOf(';')))
                        .withHeader(
                                "X-CSRF-Token", session.expect(200).path("csrfToken").stringValue())
                        .post("/tokens", Map.of("name", "script"))
                        .expect(201);
        return new User(
                user.path("id").stringValue(),
                name,
                password,
                nobody().with(token.path("token").stringValue()));
    }

    public String joinToken() {
        return administrator()
                .post("/join-tokens", Map.of())
                .expect(201)
                .path("token")
                .stringValue();
    }

    public static Registration registration(String name) {
        return registration(name, Map.of());
    }

    public static Registration registration(String name, Map<String, String> labels) {
        return new Registration(
                name,
                new HostDescription("host", 8, 2, 1L << 34, "Linux amd64", "oneDNN", 1.5),
                name + ":5701",
                labels,
                Credential.random(new SecureRandom()));
    }

    /** Returns the registration of an agent on the given host. */
    public static Registration onHost(String name, String host) {
        return new Registration(
                name,
                new HostDescription(host, 8, 2, 1L << 34, "Linux amd64", "oneDNN", 1.5),
                name + ":5701",
                Map.of(),
                Credential.random(new SecureRandom()));
    }

    /** Registers an agent that sends no heartbeats. */
    public TestingAgent join(String name) {
        return join(registration(name));
    }

    public TestingAgent join(Registration registration) {
        return admit(register(joinToken(), registration), registration);
    }

    /** Sends a registration. */
    public Answer register(String joinToken, Registration registration) {
        return nobody().with(joinToken).post("/agents", registration);
    }

    /** Returns the agent of a registration that the service has answered. */
    public TestingAgent admit(Answer answer, Registration registration) {
        Admission admission = json.treeToValue(answer.expect(201), Admission.class);
        TestingAgent agent =
                new TestingAgent(
                        admission.worker(),
                        registration.clusterAddress(),
                        nobody().with(registration.credential().text()),
                        json);
        agents.add(agent);
        return agent;
    }

    /** Registers idle agents that see one another. */
    public List<TestingAgent> agents(int count) {
        List<TestingAgent> agents = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            agents.add(join("agent-" + number));
        }
        beat(agents);
        return agents;
    }

    public static void beat(List<TestingAgent> agents) {
        agents.forEach(agent -> agent.beat(agents).expect(200));
    }

    /** Moves the clock while these agents send heartbeats and all others are silent. */
    public void advance(Duration time, List<TestingAgent> living) {
        advance(time, () -> beat(living));
    }

    /**
     * Moves the clock in steps of 4 s. After each step the given agents send heartbeats, and the
     * service removes workers that have exceeded the session timeout and ends grace periods. It
     * does neither after one long step, which it takes for an interruption of its own reception.
     *
     * @param heartbeats sends the heartbeats of the live agents
     */
    public void advance(Duration time, Runnable heartbeats) {
        for (Duration left = time; left.isPositive(); left = left.minus(STEP)) {
            clock.advance(left.compareTo(STEP) < 0 ? left : STEP);
            heartbeats.run();
            TestingSchedulerLoop.loseSilentWorkers(service);
            TestingSchedulerLoop.endGracePeriods(service);
        }
    }

    /**
     * Cancels all runs, then lets all agents leave. The service removes workers that a test has
     * registered itself, so that the next test finds none.
     */
    public void clear() {
        cancelAll();
        agents.forEach(TestingAgent::leave);
        agents.clear();
        advance(SILENCE, () -> {});
    }

    /** Also cancels runs of projects that a test has created itself, since all share one queue. */
    private void cancelAll() {
        List<JsonNode> open;
        do {
            open =
                    List.copyOf(
                            administrator()
                                    .get("/runs?state=QUEUED,PLACED,PREPARING,RUNNING&limit=500")
                                    .expect(200)
                                    .path("items")
                                    .values());
            open.forEach(run ->
                    administrator()
                            .post("/runs/" + run.path("id").stringValue() + "/cancel")
                            .expect(200));
        } while (!open.isEmpty());
    }
}
