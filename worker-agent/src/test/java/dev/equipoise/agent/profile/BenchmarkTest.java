package dev.equipoise.agent.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.time.TestingTime;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.Precision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BenchmarkTest {

    private final TestingTime time = new TestingTime();
    private final Benchmark benchmark = new Benchmark(new Precision(5, 100, 0.95, 0.025, 4), time);
    private final AtomicInteger executions = new AtomicInteger();

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void aSteadyKernelNeedsFewRepetitions() throws InterruptedException {
        MeasuredPoint point = measure(() -> run(Duration.ofMillis(20)));

        assertThat(point.size()).isEqualTo(64);
        assertThat(point.repetitions()).as("2 a sweep, and 5 in the first").isEqualTo(9);
        assertThat(point.meanSeconds()).isCloseTo(0.020, within(1e-12));
        assertThat(point.deviationSeconds()).isCloseTo(0, within(1e-12));
    }

    @Test
    void theFirstExecutionsAreNotMeasured() throws InterruptedException {
        MeasuredPoint point =
                measure(() -> run(Duration.ofMillis(executions.get() < 3 ? 500 : 20)));

        assertThat(point.meanSeconds()).isCloseTo(0.020, within(1e-12));
        assertThat(executions).as("3 warm-ups a sweep").hasValue(9 + point.repetitions());
    }

    @Test
    void anUnsteadyKernelIsRepeatedUntilItsMeanIsKnown() throws InterruptedException {
        MeasuredPoint point =
                measure(() -> run(Duration.ofMillis(executions.get() % 2 == 0 ? 19 : 21)));

        assertThat(point.repetitions()).isGreaterThan(5).isLessThan(100);
        assertThat(point.confidenceSeconds()).isLessThanOrEqualTo(0.025 * point.meanSeconds());
    }

    @Test
    void warmsUpForAsLongAsItIsTold() throws InterruptedException {
        benchmark.warmUp(() -> run(Duration.ofMillis(300)), Duration.ofSeconds(1));

        assertThat(executions).hasValue(4);
    }

    @Test
    void anInterruptEndsTheMeasurement() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> measure(() -> run(Duration.ofMillis(20))))
                .isInstanceOf(InterruptedException.class);
    }

    @Test
    void loadThatComesAndGoesIsSharedByAllSizes() throws InterruptedException {
        var points = new ArrayList<MeasuredPoint>();

        benchmark.measure(List.of(1, 2), _ -> () -> runUnsteadily(100), points::add);

        assertThat(mean(points, 1)).isCloseTo(mean(points, 2), within(0.004));
    }

    /** 10 ms in the mean, and twice as much under load. */
    private void runUnsteadily(int loaded) {
        int unloaded = executions.get() % 2 == 0 ? 5 : 15;
        run(Duration.ofMillis(executions.get() < loaded ? 2 * unloaded : unloaded));
    }

    @Test
    void steadyLoadAtTheBeginningIsNotTakenForTheSpeed() throws InterruptedException {
        MeasuredPoint point = measure(() -> run(Duration.ofMillis(executions.get() < 8 ? 40 : 20)));

        assertThat(point.meanSeconds())
                .as("after 5 equal times of 40 ms the others tell")
                .isCloseTo(0.020, within(0.003));
    }

    private static double mean(List<MeasuredPoint> points, int size) {
        return points.stream()
                .filter(point -> point.size() == size)
                .reduce((_, later) -> later)
                .orElseThrow()
                .meanSeconds();
    }

    @Test
    void aSizeIsToldOfWheneverItIsKnownBetter() throws InterruptedException {
        var repetitions = new ArrayList<Integer>();

        benchmark.measure(
                List.of(64),
                _ -> () -> run(Duration.ofMillis(executions.get() % 2 == 0 ? 1 : 3)),
                point -> repetitions.add(point.repetitions()));

        assertThat(repetitions).containsExactly(34, 67, 100);
    }

    private MeasuredPoint measure(Runnable kernel) throws InterruptedException {
        var points = new ArrayList<MeasuredPoint>();
        benchmark.measure(List.of(64), _ -> kernel, points::add);
        return points.getLast();
    }

    private void run(Duration duration) {
        time.work(duration);
        executions.incrementAndGet();
    }
}
