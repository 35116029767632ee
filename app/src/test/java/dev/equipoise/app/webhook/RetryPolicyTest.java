package dev.equipoise.app.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.webhook.AttemptOutcome.NoResponse;
import dev.equipoise.app.webhook.AttemptOutcome.Responded;
import dev.equipoise.app.webhook.RetryPolicy.Step;
import java.time.Duration;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryPolicyTest {

    /** Its hash code is 0, so that its delays have no spread. */
    private static final UUID DELIVERY = new UUID(0, 0);

    @Test
    void delaysTripleUpToSixHours() {
        assertThat(
                        IntStream.rangeClosed(1, 10)
                                .mapToLong(it -> RetryPolicy.delay(DELIVERY, it).toSeconds()))
                .containsExactly(
                        10L, 30L, 90L, 270L, 810L, 2430L, 7290L, 21_600L, 21_600L, 21_600L);
    }

    @Test
    void delaysOfDeliveriesAreSpread() {
        Random random = new Random(7);

        assertThat(
                        IntStream.range(0, 1000)
                                .mapToObj(_ -> new UUID(random.nextLong(), random.nextLong()))
                                .map(it -> RetryPolicy.delay(it, 3)))
                .allMatch(it -> it.compareTo(Duration.ofSeconds(90)) >= 0)
                .allMatch(it -> it.compareTo(Duration.ofSeconds(108)) <= 0)
                .contains(Duration.ofSeconds(90), Duration.ofSeconds(108));
        assertThat(RetryPolicy.MAX_DELAY).isEqualTo(Duration.ofMinutes(432));
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 202, 204, 299})
    void successDelivers(int status) {
        assertThat(RetryPolicy.after(new Responded(status), DELIVERY, 9, 100))
                .isEqualTo(new Step.Deliver());
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 400, 401, 404, 429, 500, 503})
    void otherStatusIsTriedAgain(int status) {
        assertThat(RetryPolicy.after(new Responded(status), DELIVERY, 1, 0))
                .isEqualTo(new Step.Retry(Duration.ofSeconds(10)));
    }

    @Test
    void lastAttemptFailsTheDelivery() {
        NoResponse refused = new NoResponse("no answer: refused");

        assertThat(RetryPolicy.after(refused, DELIVERY, 8, 7))
                .isEqualTo(new Step.Retry(Duration.ofHours(6)));
        assertThat(RetryPolicy.after(refused, DELIVERY, 9, 7))
                .as("another delivery has succeeded since the first attempt")
                .isEqualTo(new Step.Fail(null));
        assertThat(RetryPolicy.after(refused, DELIVERY, 9, 8))
                .isEqualTo(new Step.Fail("The last 9 attempts failed: no answer: refused"));
    }

    @Test
    void receiverThatIsGoneIsDisabledAtOnce() {
        assertThat(RetryPolicy.after(new Responded(410), DELIVERY, 1, 0))
                .isEqualTo(new Step.Fail("The receiver answered 410: it wants no more deliveries"));
    }

    @Test
    void reasonIsOneShortLine() {
        assertThat(new NoResponse("a\r\nb\u001b[31m" + "x".repeat(500)).reason())
                .startsWith("a b [31mxx")
                .hasSize(300);
    }
}
