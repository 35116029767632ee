package dev.equipoise.app.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.webhook.AttemptOutcome.NoResponse;
import dev.equipoise.app.webhook.AttemptOutcome.Responded;
import dev.equipoise.app.webhook.TestingReceiver.Received;
import dev.equipoise.testing.TestingCertificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookSenderTest {

    private static final AddressPolicy PUBLIC_ONLY = new AddressPolicy(List.of());
    private static final AddressPolicy WITH_LOOPBACK = new AddressPolicy(List.of("127.0.0.1"));
    private static final Map<String, String> HEADERS = Map.of("webhook-id", "1-2");
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final InetAddress PRIVATE = InetAddress.ofLiteral("10.0.0.1");

    private final TestingReceiver receiver = new TestingReceiver();

    @AfterEach
    void close() {
        receiver.close();
    }

    private static WebhookSender sender(AddressPolicy policy, NameResolver names) {
        return sender(policy, names, Duration.ofSeconds(30));
    }

    private static WebhookSender sender(
            AddressPolicy policy, NameResolver names, Duration timeout) {
        return new WebhookSender(
                policy, names, (SSLSocketFactory) SSLSocketFactory.getDefault(), timeout);
    }

    private static AttemptOutcome post(WebhookSender sender, String url) {
        try {
            return sender.post(WebhookUrl.parse(url), HEADERS, "{\"name\": \"\u00e9\"}");
        } finally {
            sender.destroy();
        }
    }

    private AttemptOutcome postTo(InetAddress... addresses) {
        return post(
                sender(WITH_LOOPBACK, _ -> addresses.clone()),
                "http://hooks.example:%d/a?b=c".formatted(receiver.port()));
    }

    @Test
    void requestHasTheNameOfTheUrlTheHeadersAndTheBody() {
        assertThat(postTo(LOOPBACK)).isEqualTo(new Responded(204));

        Received request = receiver.take();
        assertThat(request.line()).isEqualTo("POST /a?b=c HTTP/1.1");
        assertThat(request.headers())
                .containsEntry("host", "hooks.example:" + receiver.port())
                .containsEntry("content-type", "application/json")
                .containsEntry("content-length", "14")
                .containsEntry("connection", "close")
                .containsEntry("webhook-id", "1-2");
        assertThat(request.body()).isEqualTo("{\"name\": \"\u00e9\"}");
    }

    @Test
    void addressThatIsNotAllowedGetsNoConnection() {
        AttemptOutcome outcome =
                post(
                        sender(PUBLIC_ONLY, _ -> new InetAddress[] {LOOPBACK}),
                        "http://hooks.example:%d/".formatted(receiver.port()));

        assertThat(outcome)
                .isEqualTo(
                        new NoResponse(
                                "hooks.example has no public address, and none that equipoise.webhook.allowed-networks allows"));
        assertThat(receiver.untaken()).isZero();
    }

    /** DNS rebinding: the second look-up would lead to another address than the checked one. */
    @Test
    void nameIsLookedUpOnceAndItsCheckedAddressConnectedTo() {
        AtomicInteger lookUps = new AtomicInteger();
        NameResolver rebinding =
                _ ->
                        new InetAddress[] {
                            lookUps.incrementAndGet() == 1
                                    ? InetAddress.ofLiteral("127.0.0.2")
                                    : LOOPBACK
                        };
        AddressPolicy policy = new AddressPolicy(List.of("127.0.0.2"));

        AttemptOutcome outcome =
                post(
                        sender(policy, rebinding),
                        "http://hooks.example:%d/".formatted(receiver.port()));

        assertThat(outcome).isInstanceOf(NoResponse.class);
        assertThat(lookUps).hasValue(1);
        assertThat(receiver.untaken()).as("listens at 127.0.0.1 alone").isZero();
    }

    @Test
    void addressesThatAreNotAllowedAreSkipped() {
        assertThat(postTo(PRIVATE, LOOPBACK)).isEqualTo(new Responded(204));
    }

    @Test
    void nextAddressIsTriedIfOneRefuses() {
        AddressPolicy policy = new AddressPolicy(List.of("127.0.0.0/8"));
        WebhookSender sender =
                sender(
                        policy,
                        _ -> new InetAddress[] {InetAddress.ofLiteral("127.0.0.3"), LOOPBACK});

        assertThat(post(sender, "http://hooks.example:%d/".formatted(receiver.port())))
                .isEqualTo(new Responded(204));
    }

    @Test
    void redirectIsNotFollowed() {
        try (var target = new TestingReceiver()) {
            receiver.answerText(
                    "HTTP/1.1 307 Temporary Redirect\r\nLocation: %s\r\n\r\n"
                            .formatted(target.url()));

            assertThat(postTo(LOOPBACK)).isEqualTo(new Responded(307));
            assertThat(target.untaken()).isZero();
        }
    }

    @Test
    void interimAnswersAreSkipped() {
        receiver.answerText(
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.0 200\r\n");

        assertThat(postTo(LOOPBACK)).isEqualTo(new Responded(200));
    }

    @Test
    void bodyOfTheAnswerIsNotAwaited() {
        receiver.answerText("HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\nx");
        receiver.neverHangUp();

        assertThat(postTo(LOOPBACK)).isEqualTo(new Responded(200));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "SSH-2.0-x\r\n",
                "HTTP/2 200\r\n",
                "HTTP/1.1 20\r\n",
                "HTTP/1.1 999\r\n"
            })
    void otherAnswerIsNone(String answer) {
        receiver.answerText(answer);

        assertThat(postTo(LOOPBACK)).isInstanceOf(NoResponse.class);
    }

    @Test
    void headOfTheAnswerIsBounded() {
        receiver.answerText("HTTP/1.1 103 Early\r\n" + "a: b\r\n".repeat(10_000));

        assertThat(postTo(LOOPBACK))
                .isEqualTo(
                        new NoResponse(
                                "no answer: the head of the answer has more than 16384 bytes"));
    }

    @Test
    void receiverThatDoesNotAnswerIsGivenUp() {
        receiver.answerText("HTTP/1.1 103 Early\r\n");
        receiver.neverHangUp();
        WebhookSender sender =
                sender(WITH_LOOPBACK, _ -> new InetAddress[] {LOOPBACK}, Duration.ofMillis(300));

        assertThat(post(sender, receiver.url()))
                .isEqualTo(new NoResponse("no answer within 300 ms"));
    }

    /** The port is bound but does not listen, so nobody else can answer at it. */
    @Test
    void refusedConnectionIsNoAnswer() throws IOException {
        try (var bound = new Socket()) {
            bound.bind(new InetSocketAddress(LOOPBACK, 0));

            AttemptOutcome outcome =
                    post(
                            sender(WITH_LOOPBACK, _ -> new InetAddress[] {LOOPBACK}),
                            "http://hooks.example:%d/".formatted(bound.getLocalPort()));

            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            NoResponse.class,
                            it -> assertThat(it.reason()).startsWith("no answer: "));
        }
    }

    @Test
    void unknownNameIsNotToldFromAForbiddenAddress() {
        NameResolver unknown =
                host -> {
                    throw new UnknownHostException(host);
                };

        assertThat(post(sender(WITH_LOOPBACK, unknown), "http://hooks.example/"))
                .isEqualTo(
                        new NoResponse(
                                "hooks.example has no public address, and none that equipoise.webhook.allowed-networks allows"));
    }

    @Test
    void certificateMustBeOfTheNameInTheUrlWhateverTheAddressIs(@TempDir Path folder)
            throws Exception {
        TestingCertificates certificates = TestingCertificates.in(folder, "hooks.example");
        try (var secure = new TestingReceiver(certificates.serving().getServerSocketFactory())) {
            assertThat(
                            post(
                                    trusting(certificates),
                                    "https://hooks.example:%d/".formatted(secure.port())))
                    .isEqualTo(new Responded(204));
            assertThat(secure.take().header("host")).isEqualTo("hooks.example:" + secure.port());
            assertThat(
                            post(
                                    trusting(certificates),
                                    "https://other.example:%d/".formatted(secure.port())))
                    .isInstanceOfSatisfying(
                            NoResponse.class,
                            it -> assertThat(it.reason()).startsWith("no secure connection: "));
            assertThat(
                            post(
                                    sender(WITH_LOOPBACK, _ -> new InetAddress[] {LOOPBACK}),
                                    "https://hooks.example:%d/".formatted(secure.port())))
                    .as("certificate that nobody trusts")
                    .isInstanceOf(NoResponse.class);
            assertThat(secure.untaken()).isZero();
        }
    }

    private static WebhookSender trusting(TestingCertificates certificates) {
        return new WebhookSender(
                WITH_LOOPBACK,
                _ -> new InetAddress[] {LOOPBACK},
                certificates.trusting().getSocketFactory(),
                Duration.ofSeconds(30));
    }
}
