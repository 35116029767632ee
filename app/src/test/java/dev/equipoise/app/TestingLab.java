package dev.equipoise.app;

import static org.awaitility.Awaitility.await;

import dev.equipoise.app.schedule.TestingDuties;
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

/** Projects and agents of one test; {@link #clear} ends what it began. */
public final class TestingLab {

    @TestConfiguration(proxyBeanMethods = false)
    static class Configuration {

        @Bean
        @Primary
        TestingClock testingClock() {
            return new TestingClock();
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

    /** Shorter than what the service takes for a break in its own listening. */
    private static final Duration STEP = Duration.ofSeconds(4);

    /** After it whoever is silent is lost: a step, and the silence that the service bears. */
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

    /** A project and somebody who works in it. */
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

        /** What is predicted of a run that has started, as soon as it is told. */
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

    /** Somebody who has a role in a project and nothing else. */
    public TestingClient member(Project project, String role) {
        JsonNode made =
                administrator()
                        .post(
                                "/tokens",
                                Map.of("name", role, "project", project.id(), "role", role))
                        .expect(201);
        return nobody().with(made.path("token").stringValue());
    }

    /** A user, by a token of theirs. */
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

    /** Of an agent on a machine of its own. */
    public static Registration onHost(String name, String host) {
        return new Registration(
                name,
                new HostDescription(host, 8, 2, 1L << 34, "Linux amd64", "oneDNN", 1.5),
                name + ":5701",
                Map.of(),
                Credential.random(new SecureRandom()));
    }

    /** An agent that has joined and not spoken since. */
    public TestingAgent join(String name) {
        return join(registration(name));
    }

    public TestingAgent join(Registration registration) {
        JsonNode answer = nobody().with(joinToken()).post("/agents", registration).expect(201);
        Admission admission = json.treeToValue(answer, Admission.class);
        TestingAgent agent =
                new TestingAgent(
                        admission.worker(),
                        registration.clusterAddress(),
                        nobody().with(registration.credential().text()),
                        json);
        agents.add(agent);
        return agent;
    }

    /** Idle agents that see one another. */
    public List<TestingAgent> agents(int count) {
        List<TestingAgent> some = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            some.add(join("agent-" + number));
        }
        beat(some);
        return some;
    }

    public static void beat(List<TestingAgent> some) {
        some.forEach(agent -> agent.beat(some).expect(200));
    }

    /** Moves the clock while these agents live and all others are silent. */
    public void advance(Duration time, List<TestingAgent> living) {
        advance(time, () -> beat(living));
    }

    /**
     * Moves the clock in steps, after each of which somebody speaks, and the service loses those
     * that have been silent for too long. It loses nobody in a step that is too long, as it takes
     * that for a break in its own listening, so a single long step is no silence.
     *
     * @param speaking has those speak that live
     */
    public void advance(Duration time, Runnable speaking) {
        for (Duration left = time; left.isPositive(); left = left.minus(STEP)) {
            clock.advance(left.compareTo(STEP) < 0 ? left : STEP);
            speaking.run();
            TestingDuties.loseSilentWorkers(service);
        }
    }

    /**
     * Ends all runs, then lets all agents leave. The service loses workers that a test has
     * registered by itself, so that the next test finds none.
     */
    public void clear() {
        cancelAll();
        agents.forEach(TestingAgent::leave);
        agents.clear();
        advance(SILENCE, () -> {});
    }

    /** Also those of projects that a test has made by itself: the queue is one for all. */
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
