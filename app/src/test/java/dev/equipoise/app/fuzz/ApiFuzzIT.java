package dev.equipoise.app.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.QuietService;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.schedule.TestingSchedulerLoop;
import dev.equipoise.testing.Patience;
import dev.equipoise.testing.Seeds;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends generated requests to every operation of the OpenAPI description, as Schemathesis does: a
 * valid request of each operation first, then valid ones and such in which parameters, headers,
 * body, caller or method are changed. No answer may be a server error, and each must match the
 * description.
 *
 * <p>Requests come in rounds, each with a lab of its own. Round r of seed s is the first round of
 * seed s + r, so a failure names the seed that repeats it alone.
 */
@QuietService
@TestPropertySource(
        properties = {
            "equipoise.account.administrator-token-file=target/administrator-token-of-fuzz",
            "equipoise.checkpoint.folder=target/checkpoints-of-fuzz",
            "equipoise.rate.user.burst=1000000000"
        })
@DirtiesContext
class ApiFuzzIT {

    private static final Logger log = LoggerFactory.getLogger(ApiFuzzIT.class);

    /** Number of requests; the nightly run sets 200,000. */
    private static final int REQUESTS = Integer.getInteger("equipoise.fuzz.requests", 2000);

    private static final int ROUND = 2000;

    /** Requests between two scheduling passes. */
    private static final int PASS_STRIDE = 50;

    private static final int MAX_FAULTS = 20;
    private static final int PRINTED_CHARACTERS = 2000;

    /** Operations that this lab cannot make succeed. */
    private static final Map<String, String> NEVER_SUCCEED =
            Map.of(
                    "GET /assignments/{id}/checkpoint/{part}",
                    "only a run that resumes from a checkpoint has one, after minutes of its clock",
                    "GET /assignments/{id}/order",
                    "only a run that replays the execution order of another one has it",
                    "GET /assignments/{id}/initial-model",
                    "only a run that begins with the model of another one has it",
                    "DELETE /runs/{id}/model",
                    "the only run with a model keeps it for the requests that read it");

    private final TestingLab lab;
    private final BeanFactory service;
    private final JsonMapper json;
    private final int port;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** Number of answers by operation and status. */
    private final Map<String, Map<Integer, Integer>> statuses = new TreeMap<>();

    /** The first fault of each kind, by operation and fault. */
    private final Map<String, String> faults = new LinkedHashMap<>();

    ApiFuzzIT(
            @Autowired TestingLab lab,
            @Autowired BeanFactory service,
            @Autowired JsonMapper json,
            @LocalServerPort int port) {
        this.lab = lab;
        this.service = service;
        this.json = json;
        this.port = port;
    }

    @AfterEach
    void clear() {
        lab.clear();
        http.close();
    }

    @Test
    void everyAnswerMatchesTheDescription() throws InterruptedException {
        JsonNode description = lab.nobody().get("/api/openapi").expect(200);
        List<Operation> operations = Operation.all(description);
        AnswerRules rules = new AnswerRules(json, description);
        long first = Seeds.seed();
        for (int sent = 0; sent < REQUESTS && faults.size() < MAX_FAULTS; sent += ROUND) {
            long seed = first + sent / ROUND;
            log.info("requests of seed {}", seed);
            int count = Math.min(ROUND, REQUESTS - sent);
            new Round(seed, description, operations, rules).play(count);
            lab.clear();
        }
        log.info("answers by operation and status: {}", statuses);
        log.info("operations that cannot succeed here: {}", NEVER_SUCCEED);

        assertThat(faults.values()).isEmpty();
        requireCoverage(operations);
    }

    /** Requires enough requests and a success of each operation, or the test would be vacuous. */
    private void requireCoverage(List<Operation> operations) {
        int least = REQUESTS / operations.size() / 2;
        for (Operation operation : operations) {
            Map<Integer, Integer> counts = statuses.getOrDefault(operation.name(), Map.of());
            assertThat(counts.values().stream().mapToInt(it -> it).sum())
                    .as("requests of %s: %s", operation, counts)
                    .isGreaterThanOrEqualTo(least);
            if (!NEVER_SUCCEED.containsKey(operation.name())) {
                assertThat(counts.keySet())
                        .as("%s has succeeded: %s", operation, counts)
                        .anyMatch(ApiFuzzIT::isSuccess);
            }
        }
    }

    private static boolean isSuccess(int status) {
        return status / 100 == 2;
    }

    /** The requests of one seed. */
    private final class Round {

        private final long seed;
        private final Random random;
        private final IdPool ids;
        private final FuzzLab fuzzed;
        private final ValidRequests valid;
        private final RequestGenerator generator;
        private final List<Operation> operations;
        private final AnswerRules rules;

        Round(long seed, JsonNode description, List<Operation> operations, AnswerRules rules) {
            this.seed = seed;
            this.operations = operations;
            this.rules = rules;
            random = new Random(seed);
            ids = new IdPool(random);
            fuzzed = new FuzzLab(lab, service, ids);
            valid = new ValidRequests(fuzzed, json, random);
            ValueGenerator values =
                    new ValueGenerator(random, description.at("/components/schemas"), ids);
            generator = new RequestGenerator(random, values, ids, fuzzed, json, operations);
        }

        /** Begins with a valid request of each operation, which also teaches the first ids. */
        void play(int count) throws InterruptedException {
            List<Operation> order = order(count);
            for (int number = 0; number < count && faults.size() < MAX_FAULTS; number++) {
                Operation operation = order.get(number);
                boolean isValid = number < operations.size() || random.nextInt(4) == 0;
                check(draft(operation, isValid), isValid);
                if (number % PASS_STRIDE == 0) {
                    TestingSchedulerLoop.giveWork(service);
                }
            }
        }

        /** Creates a request, once more if earlier requests have spoiled what it needs. */
        private Draft draft(Operation operation, boolean isValid) {
            try {
                return created(operation, isValid);
            } catch (AssertionError spoiled) {
                log.info(
                        "{} needs a new session or run: {}",
                        operation,
                        Draft.withoutSecrets(String.valueOf(spoiled.getMessage())));
                fuzzed.renew();
                return created(operation, isValid);
            }
        }

        private Draft created(Operation operation, boolean isValid) {
            Draft draft = valid.of(operation);
            return isValid ? draft : generator.mutate(draft);
        }

        private List<Operation> order(int count) {
            List<Operation> order = new ArrayList<>(operations);
            while (order.size() < count) {
                List<Operation> more = new ArrayList<>(operations);
                Collections.shuffle(more, random);
                order.addAll(more);
            }
            return order;
        }

        private void check(Draft draft, boolean isValid) throws InterruptedException {
            HttpResponse<byte[]> answer;
            try {
                answer = send(draft);
            } catch (IOException failure) {
                note(draft, "no complete answer: " + failure, "");
                return;
            }
            if (!draft.isOfAnotherMethod()) {
                statuses.computeIfAbsent(draft.operation().name(), _ -> new TreeMap<>())
                        .merge(answer.statusCode(), 1, Integer::sum);
            }
            rules.fault(draft, answer).ifPresent(fault -> note(draft, fault, printed(answer)));
            if (isSuccess(answer.statusCode())) {
                draft.accepted();
                learn(draft, answer);
            } else if (isValid && !NEVER_SUCCEED.containsKey(draft.operation().name())) {
                log.info("not accepted: {} -> {}", draft, printed(answer));
                fuzzed.renew();
            }
        }

        private void learn(Draft draft, HttpResponse<byte[]> answer) {
            if (AnswerRules.isJson(answer)) {
                Optional.ofNullable(rules.tree(answer))
                        .ifPresent(body -> ids.learn(draft.operation(), body));
            }
        }

        private void note(Draft draft, String fault, String answer) {
            int end = fault.indexOf(':');
            String kind = draft.operation() + " " + (end < 0 ? fault : fault.substring(0, end));
            faults.putIfAbsent(
                    kind,
                    "%s%nrepeat it with -Dequipoise.seed=%d%n%s%n-> %s"
                            .formatted(fault, seed, draft, answer));
        }
    }

    private HttpResponse<byte[]> send(Draft draft) throws IOException, InterruptedException {
        BodyPublisher body =
                draft.hasBody()
                        ? BodyPublishers.ofByteArray(draft.body())
                        : BodyPublishers.noBody();
        HttpRequest.Builder request =
                HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:%d%s".formatted(port, draft.target())))
                        .timeout(Patience.PATIENCE)
                        .method(draft.method(), body);
        draft.allHeaders().forEach(request::header);
        return http.send(request.build(), BodyHandlers.ofByteArray());
    }

    private static String printed(HttpResponse<byte[]> answer) {
        String body = new String(answer.body(), StandardCharsets.UTF_8);
        String text = body.substring(0, Math.min(body.length(), PRINTED_CHARACTERS));
        String type = answer.headers().firstValue("Content-Type").orElse("no content type");
        return "%d %s %s".formatted(answer.statusCode(), type, Draft.withoutSecrets(text));
    }
}
