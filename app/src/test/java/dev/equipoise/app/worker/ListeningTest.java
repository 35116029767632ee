package dev.equipoise.app.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class ListeningTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final Listening listening = new Listening(Duration.ofSeconds(10));

    /** Looks each second, from one until another; what the last one says. */
    private boolean listen(int from, int until) {
        boolean tells = false;
        for (int second = from; second <= until; second++) {
            tells = listening.at(InstantSource.fixed(START.plusSeconds(second)));
        }
        return tells;
    }

    @Test
    void whoHasJustBegunHasHeardNobodyForLongEnough() {
        assertThat(listen(0, 9)).isFalse();
        assertThat(listen(10, 10)).isTrue();
    }

    @Test
    void afterABreakTheWorkersHaveTheirTimeOnceMore() {
        listen(0, 20);

        assertThat(listen(50, 59)).isFalse();
        assertThat(listen(60, 60)).isTrue();
    }

    @Test
    void aLookThatIsALittleLateIsNoBreak() {
        listen(0, 20);

        assertThat(listen(25, 25)).isTrue();
    }

    @Test
    void aClockThatIsPutBackIsABreak() {
        listen(0, 3600);

        assertThat(listen(1800, 1809)).isFalse();
        assertThat(listen(1810, 1810)).isTrue();
    }
}
