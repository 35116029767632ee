package dev.equipoise.app.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.TestingClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LiveWorkerCacheTest {

    private final TestingClock clock = new TestingClock();
    private final LiveWorkerCache cache = new LiveWorkerCache(clock);
    private final AtomicInteger reads = new AtomicInteger();

    private int readsAfterACall() {
        assertThat(
                        cache.known(() -> {
                            reads.incrementAndGet();
                            return List.of();
                        }))
                .isEmpty();
        return reads.get();
    }

    @Test
    void workersAreReadOnceASecond() {
        assertThat(readsAfterACall()).isEqualTo(1);
        assertThat(readsAfterACall()).isEqualTo(1);
        clock.advance(Duration.ofSeconds(1));
        assertThat(readsAfterACall()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, -1})
    void clockJumpEndsTheLifeOfTheCache(int hours) {
        assertThat(readsAfterACall()).isEqualTo(1);

        clock.advance(Duration.ofHours(hours));

        assertThat(readsAfterACall()).isEqualTo(2);
        assertThat(readsAfterACall()).isEqualTo(2);
    }
}
