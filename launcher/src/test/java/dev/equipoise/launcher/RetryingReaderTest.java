package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class RetryingReaderTest {

    private static final URI SERVICE = URI.create("http://127.0.0.1:1");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final List<Duration> pauses = new ArrayList<>();
    private int requests;

    private RetryingReader reader(int aliveChecks) {
        return new RetryingReader(
                new TestingSite(SERVICE, true, aliveChecks),
                new Progress(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        false,
                        () -> 0,
                        () -> {}),
                () -> pauses.stream().mapToLong(Duration::toNanos).sum(),
                pauses::add);
    }

    private Function<ServiceApi, String> unreachableFor(int times) {
        return _ -> {
            requests++;
            if (requests <= times) {
                throw new ServiceUnreachable(SERVICE, new IOException("connection reset"));
            }
            return "answer";
        };
    }

    @Test
    void retriesWithGrowingPausesAndSaysSoOnce() {
        assertThat(reader(9).read(unreachableFor(3))).isEqualTo("answer");

        assertThat(pauses)
                .containsExactly(
                        Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(2));
        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo(
                        ("the service at http://127.0.0.1:1 does not answer: connection reset;"
                                        + " retrying for 5 minutes%n")
                                .formatted());
    }

    @Test
    void givesUpAfterFiveMinutes() {
        assertThatThrownBy(() -> reader(99).read(unreachableFor(99)))
                .isInstanceOf(ServiceUnreachable.class)
                .hasMessage("the service at http://127.0.0.1:1 does not answer: connection reset");
        assertThat(pauses.stream().mapToLong(Duration::toSeconds).sum()).isBetween(300L, 316L);
    }

    @Test
    void siteThatHasEndedStopsRetries() {
        assertThatThrownBy(() -> reader(2).read(unreachableFor(99)))
                .hasMessage("the site has ended");
        assertThat(requests).isEqualTo(2);
    }

    @Test
    void rejectedRequestIsNotRepeated() {
        RequestRejected rejected =
                RequestRejected.of("GET /x", JsonMapper.shared().createObjectNode());

        assertThatThrownBy(() ->
                        reader(9)
                                .read(_ -> {
                                    requests++;
                                    throw rejected;
                                }))
                .isSameAs(rejected);
        assertThat(requests).isOne();
    }
}
