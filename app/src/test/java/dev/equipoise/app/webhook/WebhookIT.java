package dev.equipoise.app.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.QuietService;
import dev.equipoise.app.TestingAgent;
import dev.equipoise.app.TestingClient;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.webhook.AttemptStore.Lease;
import dev.equipoise.app.webhook.TestingReceiver.Received;
import dev.equipoise.app.worker.WorkerLost;
import dev.equipoise.protocol.WorkerId;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.http.HttpHeaders;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Webhooks from their creation to their deliveries, with a real receiver on a clock of the test.
 */
@QuietService
class WebhookIT {

    private static final String DEFINITION =
            """
            {"apiVersion": "equipoise/v1", "name": "hooked", "dataset": {"name": "mnist"},
             "network": {"preset": "mnist-cnn"}, "training": {"epochs": 1},
             "workers": {"replicas": 99}}
            """;

    private final TestingLab lab;
    private final JsonMapper json;
    private final JdbcTemplate jdbc;
    private final DeliveryLoop loop;
    private final AttemptStore attempts;
    private final ApplicationEventPublisher events;
    private final TransactionTemplate transaction;

    private final TestingReceiver receiver = new TestingReceiver();
    private final TestingLab.Project project;
    private final TestingClient owner;

    WebhookIT(
            @Autowired TestingLab lab,
            @Autowired JsonMapper json,
            @Autowired JdbcTemplate jdbc,
            @Autowired DeliveryLoop loop,
            @Autowired AttemptStore attempts,
            @Autowired ApplicationEventPublisher events,
            @Autowired PlatformTransactionManager transactions) {
        this.lab = lab;
        this.json = json;
        this.jdbc = jdbc;
        this.loop = loop;
        this.attempts = attempts;
        this.events = events;
        this.transaction = new TransactionTemplate(transactions);
        this.project = lab.project();
        this.owner = lab.member(project, "owner");
    }

    /** Webhooks of other tests would get the events of this one. */
    @AfterEach
    void clear() {
        jdbc.update("delete from webhook");
        lab.clear();
        receiver.close();
    }

    private String path() {
        return path(project);
    }

    private static String path(TestingLab.Project some) {
        return "/projects/" + some.id() + "/webhooks";
    }

    private Map<String, Object> wanted(String... events) {
        return new HashMap<>(
                Map.of("name", "bot", "url", receiver.url(), "events", List.of(events)));
    }

    private JsonNode create(String... events) {
        return owner.post(path(), wanted(events)).expect(201);
    }

    private String pathOf(JsonNode webhook) {
        return path() + "/" + webhook.path("id").stringValue();
    }

    private List<JsonNode> deliveries(JsonNode webhook) {
        return List.copyOf(
                owner.get(pathOf(webhook) + "/deliveries").expect(200).path("items").values());
    }

    private JsonNode newest(JsonNode webhook) {
        return deliveries(webhook).getFirst();
    }

    /** Delivers in this thread what is due. */
    private void deliver() {
        attempts.lease(10).forEach(loop::deliver);
    }

    private long countDeliveries(String condition) {
        return Objects.requireNonNull(
                jdbc.queryForObject(
                        "select count(*) from webhook_delivery where " + condition, Long.class));
    }

    private void cancelRun() {
        String run = project.submitOne(DEFINITION);
        project.member().post("/runs/" + run + "/cancel").expect(200);
    }

    private static String signature(JsonNode webhook, Received request) {
        try {
            String secret = webhook.path("secret").stringValue();
            byte[] key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            String signed =
                    "%s.%s.%s"
                            .formatted(
                                    request.header("webhook-id"),
                                    request.header("webhook-timestamp"),
                                    request.body());
            return "v1,"
                    + Base64.getEncoder()
                            .encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Test
    void endedRunIsDeliveredOnceWithItsSignature() {
        JsonNode webhook = create("run.ended");
        String run = project.submitOne(DEFINITION);
        project.member().post("/runs/" + run + "/cancel").expect(200);
        loop.deliverDue();

        Received request = receiver.take();
        assertThat(request.line()).isEqualTo("POST /hook HTTP/1.1");
        assertThat(request.header("webhook-signature")).isEqualTo(signature(webhook, request));
        JsonNode body = json.readTree(request.body());
        assertThat(body.path("type").stringValue()).isEqualTo("run.ended");
        assertThat(body.at("/data/run").stringValue()).isEqualTo(run);
        assertThat(body.at("/data/project").stringValue()).isEqualTo(project.id());
        assertThat(body.at("/data/experimentName").stringValue()).isEqualTo("hooked");
        assertThat(body.at("/data/name").stringValue()).isEqualTo("hooked #1");
        assertThat(body.at("/data/state").stringValue()).isEqualTo("CANCELLED");
        assertThat(body.at("/data/failure").isNull()).isTrue();
        assertThat(body.path("timestamp")).isEqualTo(body.at("/data/endedAt"));
        JsonNode delivery =
                await().until(
                                () -> newest(webhook),
                                it -> it.path("state").stringValue().equals("delivered"));
        assertThat(delivery.path("id").stringValue()).isEqualTo(request.header("webhook-id"));
        assertThat(delivery.path("attempts").intValue()).isEqualTo(1);
        assertThat(delivery.path("status").intValue()).isEqualTo(204);
        assertThat(delivery.path("dueAt").isNull()).isTrue();
        lab.clock().advance(RetryPolicy.MAX_DELAY);
        deliver();
        assertThat(deliveries(webhook)).hasSize(1);
        assertThat(receiver.untaken()).isZero();
    }

    @Test
    void eventOfAnotherProjectOrKindOrForADisabledWebhookIsNotWritten() {
        JsonNode lost = create("worker.lost");
        JsonNode disabled = create("run.ended");
        owner.patch(pathOf(disabled), Map.of("enabled", false)).expect(200);
        TestingLab.Project other = lab.project();
        JsonNode foreign = lab.administrator().post(path(other), wanted("run.ended")).expect(201);

        cancelRun();

        assertThat(deliveries(lost)).isEmpty();
        assertThat(deliveries(disabled)).isEmpty();
        assertThat(
                        lab.administrator()
                                .get(
                                        path(other)
                                                + "/"
                                                + foreign.path("id").stringValue()
                                                + "/deliveries")
                                .expect(200)
                                .path("items")
                                .isEmpty())
                .isTrue();
    }

    @Test
    void lostWorkerIsDeliveredToAllProjectsButOneThatLeavesIsNot() {
        create("worker.lost");
        lab.administrator().post(path(lab.project()), wanted("worker.lost")).expect(201);
        List<TestingAgent> agents = lab.agents(2);

        agents.getLast().leave();
        lab.advance(Duration.ofSeconds(20), List.of());
        deliver();

        assertThat(countDeliveries("body like '%" + agents.getFirst().id() + "%'")).isEqualTo(2);
        assertThat(countDeliveries("body like '%" + agents.getLast().id() + "%'")).isZero();
        JsonNode body = json.readTree(receiver.take().body());
        assertThat(body.path("type").stringValue()).isEqualTo("worker.lost");
        assertThat(body.at("/data/name").stringValue()).isEqualTo("agent-0");
        assertThat(body.at("/data/lastSeenAt").stringValue())
                .isLessThan(body.path("timestamp").stringValue());
    }

    @Test
    void failedDeliveryIsTriedLaterAndLaterUntilTheWebhookIsDisabled() {
        JsonNode webhook = create("run.ended");
        receiver.answer(500);
        String id = owner.post(pathOf(webhook) + "/ping").expect(202).path("id").stringValue();

        for (int attempt = 1; attempt <= RetryPolicy.MAX_ATTEMPTS; attempt++) {
            deliver();
            Received request = receiver.take();
            assertThat(request.header("webhook-id")).isEqualTo(id);
            assertThat(request.header("webhook-signature")).isEqualTo(signature(webhook, request));
            JsonNode delivery = newest(webhook);
            assertThat(delivery.path("attempts").intValue()).isEqualTo(attempt);
            assertThat(delivery.path("status").intValue()).isEqualTo(500);
            assertThat(delivery.path("error").stringValue()).isEqualTo("the receiver answered 500");
            Duration delay = RetryPolicy.delay(UUID.fromString(id), attempt);
            lab.clock().advance(delay.minusSeconds(1));
            deliver();
            assertThat(receiver.untaken()).isZero();
            lab.clock().advance(Duration.ofSeconds(2));
        }

        deliver();
        assertThat(receiver.untaken()).isZero();
        assertThat(newest(webhook).path("state").stringValue()).isEqualTo("failed");
        JsonNode after = owner.get(pathOf(webhook)).expect(200);
        assertThat(after.path("enabled").booleanValue()).isFalse();
        assertThat(after.path("disabledReason").stringValue())
                .isEqualTo("The last 9 attempts failed: the receiver answered 500");
        assertThat(after.path("failures").intValue()).isEqualTo(9);
        owner.post(pathOf(webhook) + "/ping").problem(409, "illegal-state");
        String resend = pathOf(webhook) + "/deliveries/" + id + "/resend";
        owner.post(resend).problem(409, "illegal-state");

        receiver.answer(200);
        JsonNode enabled = owner.patch(pathOf(webhook), Map.of("enabled", true)).expect(200);
        assertThat(enabled.path("disabledReason").isNull()).isTrue();
        assertThat(enabled.path("failures").intValue()).isZero();
        assertThat(owner.post(resend).expect(202).path("state").stringValue()).isEqualTo("pending");
        deliver();
        assertThat(receiver.take().header("webhook-id")).isEqualTo(id);
        assertThat(newest(webhook).path("state").stringValue()).isEqualTo("delivered");
    }

    @Test
    void receiverThatIsGoneDisablesTheWebhookAtOnce() {
        JsonNode webhook = create("run.ended");
        String before = tag(webhook);
        receiver.answer(410);

        cancelRun();
        deliver();

        assertThat(newest(webhook).path("state").stringValue()).isEqualTo("failed");
        JsonNode after = owner.get(pathOf(webhook)).expect(200);
        assertThat(after.path("disabledReason").stringValue())
                .startsWith("The receiver answered 410");
        assertThat(tag(webhook)).isNotEqualTo(before);
    }

    private String tag(JsonNode webhook) {
        return String.valueOf(owner.get(pathOf(webhook)).headers().getETag());
    }

    @Test
    void oneInstanceAtATimeDeliversAndAnotherContinuesAfterACrash() {
        JsonNode webhook = create("run.ended");
        owner.post(pathOf(webhook) + "/ping").expect(202);
        owner.post(pathOf(webhook) + "/ping").expect(202);

        // The instance that leases the webhook dies during its first attempt.
        Lease dead = attempts.lease(10).getFirst();
        assertThat(attempts.begin(dead)).isPresent();
        assertThat(attempts.lease(10)).isEmpty();
        lab.clock().advance(AttemptStore.LEASE.plusSeconds(1));
        deliver();

        assertThat(receiver.take()).isNotNull();
        assertThat(receiver.take()).isNotNull();
        assertThat(deliveries(webhook))
                .allMatch(it -> it.path("state").stringValue().equals("delivered"))
                .extracting(it -> it.path("attempts").intValue())
                .containsExactlyInAnyOrder(1, 2);
        owner.post(pathOf(webhook) + "/ping").expect(202);
        assertThat(attempts.begin(dead)).as("the lease is lost").isEmpty();
        assertThat(receiver.untaken()).isZero();
    }

    @Test
    void leaseHoldsNoLongerThanItsLengthIfTheClockIsSetBack() {
        JsonNode webhook = create("run.ended");
        owner.post(pathOf(webhook) + "/ping").expect(202);
        assertThat(attempts.lease(10)).hasSize(1);
        jdbc.update("update webhook set leased_until = leased_until + interval '1 day'");

        assertThat(attempts.lease(10)).hasSize(1);
    }

    @Test
    void webhooksTakeTurns() {
        create("run.ended");
        create("run.ended");
        cancelRun();

        Lease first = attempts.lease(1).getFirst();
        Lease second = attempts.lease(1).getFirst();
        assertThat(second.webhook()).isNotEqualTo(first.webhook());
        attempts.release(second);
        attempts.release(first);

        assertThat(attempts.lease(1).getFirst().webhook()).isEqualTo(second.webhook());
    }

    @Test
    void resultOfAnAttemptBeforeADeliveryWasSentAgainDoesNotCount() {
        JsonNode webhook = create("run.ended");
        String id = owner.post(pathOf(webhook) + "/ping").expect(202).path("id").stringValue();
        Lease lease = attempts.lease(10).getFirst();
        AttemptStore.Attempt attempt = attempts.begin(lease).orElseThrow();

        owner.post(pathOf(webhook) + "/deliveries/" + id + "/resend").expect(202);

        assertThat(attempts.finish(lease, attempt, new AttemptOutcome.Responded(500))).isEmpty();
        assertThat(newest(webhook).path("attempts").intValue()).isZero();
        attempts.release(lease);
    }

    @Test
    void fullQueueDropsEventsThatTheOwnerCanSendLater() {
        JsonNode webhook = create("run.ended");
        jdbc.update(
                """
                insert into webhook_delivery (id, webhook_id, type, body, state, created_at, due_at)
                select gen_random_uuid(), cast(? as uuid), 'ping', '{}', 'PENDING', timestamp '2020-01-01', timestamp '2020-01-01'
                from generate_series(1, ?)
                """,
                webhook.path("id").stringValue(),
                DeliveryStore.MAX_PENDING);

        cancelRun();

        JsonNode dropped = newest(webhook);
        assertThat(dropped.path("type").stringValue()).isEqualTo("run.ended");
        assertThat(dropped.path("state").stringValue()).isEqualTo("dropped");
        String resend =
                "%s/deliveries/%s/resend"
                        .formatted(pathOf(webhook), dropped.path("id").stringValue());
        assertThat(owner.post(resend).expect(202).path("state").stringValue()).isEqualTo("pending");
    }

    @Test
    void oldDeliveriesAreRemoved() {
        JsonNode webhook = create("run.ended");
        String kept = owner.post(pathOf(webhook) + "/ping").expect(202).path("id").stringValue();
        String old = owner.post(pathOf(webhook) + "/ping").expect(202).path("id").stringValue();
        jdbc.update(
                "update webhook_delivery set created_at = created_at - interval '8 days' where id = cast(? as uuid)",
                old);
        jdbc.update(
                """
                insert into webhook_delivery (id, webhook_id, type, body, state, created_at, due_at)
                select gen_random_uuid(), webhook_id, 'ping', '{}', 'FAILED',
                    created_at - make_interval(secs => number), due_at
                from webhook_delivery cross join generate_series(1, ?) as numbers (number)
                where id = cast(? as uuid)
                """,
                DeliveryStore.MAX_ENDED + 50,
                kept);

        loop.removeOld();

        assertThat(countDeliveries("state = 'FAILED'")).isEqualTo(DeliveryStore.MAX_ENDED);
        assertThat(newest(webhook).path("id").stringValue()).isEqualTo(kept);
        owner.post(pathOf(webhook) + "/deliveries/" + old + "/resend").problem(404, "not-found");
    }

    @Test
    void eventIsWrittenInItsTransactionOrNotAtAll() {
        create("worker.lost");
        WorkerLost lost =
                new WorkerLost(
                        WorkerId.of(UUID.randomUUID()), "ghost", Instant.EPOCH, Instant.EPOCH);

        assertThatThrownBy(() -> events.publishEvent(lost))
                .isInstanceOf(IllegalTransactionStateException.class);
        transaction.executeWithoutResult(it -> {
            events.publishEvent(lost);
            it.setRollbackOnly();
        });

        assertThat(countDeliveries("true")).isZero();
    }

    @Test
    void secretIsShownOnceAndNeverAudited() {
        var created = owner.post(path(), wanted("run.ended", "worker.lost"));
        JsonNode webhook = created.expect(201);
        String secret = webhook.path("secret").stringValue();
        assertThat(secret).matches("whsec_[A-Za-z0-9+/]{43}=");
        assertThat(created.headers().getFirst(HttpHeaders.LOCATION))
                .isEqualTo("/api/v1" + pathOf(webhook));

        assertThat(owner.get(pathOf(webhook)).expect(200).path("secret").isNull()).isTrue();
        assertThat(owner.get(path()).expect(200).at("/items/0/secret").isNull()).isTrue();
        assertThat(
                        owner.patch(pathOf(webhook), Map.of("name", "other"))
                                .expect(200)
                                .path("secret")
                                .isNull())
                .isTrue();
        assertThat(
                        jdbc.queryForList(
                                "select cast(detail as text) from audit_entry where subject = ?",
                                String.class,
                                webhook.path("id").stringValue()))
                .hasSize(2)
                .allSatisfy(it -> assertThat(it).doesNotContain(secret, receiver.url()));
        Map<String, Object> given = wanted("run.ended");
        given.put("secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        assertThat(owner.post(path(), given).expect(201).path("secret").stringValue())
                .isEqualTo("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    }

    @Test
    void changeNeedsTheLatestRevisionAndGoesToTheNewUrl() {
        JsonNode webhook = create("run.ended");
        String seen = tag(webhook);
        try (var other = new TestingReceiver()) {
            cancelRun();
            owner.withHeader("If-Match", seen)
                    .patch(pathOf(webhook), Map.of("url", other.url()))
                    .expect(200);
            owner.withHeader("If-Match", seen)
                    .patch(pathOf(webhook), Map.of("name", "late"))
                    .problem(412, "precondition-failed");

            deliver();

            assertThat(json.readTree(other.take().body()).path("type").stringValue())
                    .isEqualTo("run.ended");
            assertThat(receiver.untaken()).isZero();
        }
    }

    /** RFC 7396: what a merge patch leaves out stays, and null would delete what must exist. */
    @Test
    void emptyPatchChangesNothingAndNullIsRejected() {
        JsonNode webhook = create("run.ended");
        String before = tag(webhook);

        JsonNode same = owner.patch(pathOf(webhook), "{}").expect(200);

        assertThat(same.path("name").stringValue()).isEqualTo("bot");
        assertThat(tag(webhook)).isEqualTo(before);
        assertThat(owner.patch(pathOf(webhook), "{\"enabled\": null}").violations())
                .containsExactly(
                        "/enabled must have a value, as null would delete it: leave the field out to keep it");
    }

    @Test
    void deletedWebhookGetsNothing() {
        JsonNode webhook = create("run.ended");
        cancelRun();

        owner.delete(pathOf(webhook)).expect(204);
        deliver();
        cancelRun();

        assertThat(countDeliveries("true")).isZero();
        assertThat(receiver.untaken()).isZero();
        owner.get(pathOf(webhook)).problem(404, "not-found");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://10.0.0.1/ | run.ended | /url must not have the address 10.0.0.1, which is not public",
                "http://[::1]:80/ | run.ended | /url must not have the address 0:0:0:0:0:0:0:1, which is not public",
                "ftp://hooks.example/ | run.ended | /url must begin with https:// or http://",
                "http://hooks.example/ | run.began | /events/0 must be one of [run.ended, worker.lost]"
            })
    void invalidWebhookIsRejectedWithItsRule(String url, String event, String violation) {
        Map<String, Object> wanted = wanted(event);
        wanted.put("url", url);

        assertThat(owner.post(path(), wanted).violations())
                .singleElement()
                .asString()
                .startsWith(violation);
    }

    @Test
    void allProblemsAreToldAtOnce() {
        Map<String, Object> wanted = wanted("run.ended");
        wanted.put("url", "nothing");
        wanted.put("secret", "whsec_short");

        assertThat(owner.post(path(), wanted).violations())
                .extracting(it -> it.substring(0, it.indexOf(' ')))
                .containsExactly("/url", "/secret");
    }

    @Test
    void webhooksOfAProjectAreBounded() {
        for (int number = 0; number < Webhooks.MAX_PER_PROJECT; number++) {
            create("run.ended");
        }

        owner.post(path(), wanted("run.ended")).problem(409, "illegal-state");

        assertThat(owner.get(path()).expect(200).path("items").size()).isEqualTo(10);
        project.member().get(path()).problem(403, "forbidden");
        lab.project().member().get(path()).problem(404, "not-found");
    }
}
