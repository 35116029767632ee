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

class PatientReaderTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final List<Duration> pauses = new ArrayList<>();
    private int asked;

    private PatientReader reader(int looks) {
        return new PatientReader(
                new TestingSite(URI.create("http://127.0.0.1:1"), true, looks),
                new Progress(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        false,
                        () -> 0,
                        () -> {}),
                () -> pauses.stream().mapToLong(Duration::toNanos).sum(),
                pauses::add);
    }

    private Function<ServiceApi, String> silentFor(int times) {
        return _ -> {
            asked++;
            if (asked <= times) {
                throw new NoAnswer(new IOException("connection reset"));
            }
            return "answer";
        };
    }

    @Test
    void whatDoesNotAnswerIsAskedAgainAfterLongerAndLongerPausesAndThatIsSaidOnce() {
        assertThat(reader(9).read(silentFor(3))).isEqualTo("answer");

        assertThat(pauses)
                .containsExactly(
                        Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(2));
        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo(
                        "the service does not answer: connection reset; it is asked again for 5"
                                + " minutes%n".formatted());
    }

    @Test
    void afterFiveMinutesItGivesUp() {
        assertThatThrownBy(() -> reader(99).read(silentFor(99)))
                .isInstanceOf(NoAnswer.class)
                .hasMessage("the service does not answer: connection reset");
        assertThat(pauses.stream().mapToLong(Duration::toSeconds).sum()).isBetween(300L, 316L);
    }

    @Test
    void nobodyWaitsForASiteThatIsGone() {
        assertThatThrownBy(() -> reader(2).read(silentFor(99))).hasMessage("the site is gone");
        assertThat(asked).isEqualTo(2);
    }

    @Test
    void whatIsRefusedIsNotAskedAgain() {
        Refused refused = Refused.of("GET /x", JsonMapper.shared().createObjectNode());

        assertThatThrownBy(() ->
                        reader(9)
                                .read(_ -> {
                                    asked++;
                                    throw refused;
                                }))
                .isSameAs(refused);
        assertThat(asked).isOne();
    }
}
