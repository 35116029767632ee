package dev.equipoise.agent.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.time.TestingTime;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.Points;
import dev.equipoise.protocol.Precision;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BenchmarkTest {

    /** Sums above this are not execution times, in milliseconds. */
    private static final int MAX_MILLIS = 100;

    private final TestingTime time = new TestingTime();
    private final Benchmark benchmark = benchmark(CoLocatedProfilers.NONE, Disturbance.NONE);
    private final AtomicInteger executions = new AtomicInteger();

    private Benchmark benchmark(CoLocatedProfilers coLocated, Disturbance disturbance) {
        return new Benchmark(
                new Precision(5, 100, 0.95, 0.025, 4),
                coLocated,
                disturbance,
                new RunQueueLatency(Path.of("no-such-folder")),
                time);
    }

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void steadyKernelNeedsFewRepetitions() throws InterruptedException {
        MeasuredPoint point = measure(() -> run(Duration.ofMillis(20)));

        assertThat(point.size()).isEqualTo(64);
        assertThat(point.repetitions()).as("2 a sweep, and 5 in the first").isEqualTo(9);
        assertThat(point.meanSeconds()).isCloseTo(0.020, within(1e-12));
        assertThat(point.deviationSeconds()).isCloseTo(0, within(1e-12));
    }

    @Test
    void warmUpsAreNotMeasured() throws InterruptedException {
        MeasuredPoint point =
                measure(() -> run(Duration.ofMillis(executions.get() < 3 ? 500 : 20)));

        assertThat(point.meanSeconds()).isCloseTo(0.020, within(1e-12));
        assertThat(executions).as("3 warm-ups a sweep").hasValue(9 + point.repetitions());
    }

    @Test
    void unsteadyKernelIsRepeatedUntilItsMeanIsPrecise() throws InterruptedException {
        MeasuredPoint point =
                measure(() -> run(Duration.ofMillis(executions.get() % 2 == 0 ? 19 : 21)));

        assertThat(point.repetitions()).isGreaterThan(5).isLessThan(100);
        assertThat(point.confidenceSeconds()).isLessThanOrEqualTo(0.025 * point.meanSeconds());
    }

    @Test
    void warmsUpForTheGivenTime() throws InterruptedException {
        benchmark.warmUp(() -> run(Duration.ofMillis(300)), Duration.ofSeconds(1));

        assertThat(executions).hasValue(4);
    }

    @Test
    void interruptEndsTheMeasurement() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> measure(() -> run(Duration.ofMillis(20))))
                .isInstanceOf(InterruptedException.class);
    }

    @Test
    void transientLoadAffectsAllSizes() throws InterruptedException {
        var points = new ArrayList<MeasuredPoint>();

        benchmark.measure(
                new Points.Fixed(List.of(1, 2)), _ -> () -> runUnsteadily(100), points::add);

        assertThat(mean(points, 1)).isCloseTo(mean(points, 2), within(0.004));
    }

    /** Runs for 10 ms on average, and twice as long under load. */
    private void runUnsteadily(int loaded) {
        int unloaded = executions.get() % 2 == 0 ? 5 : 15;
        run(Duration.ofMillis(executions.get() < loaded ? 2 * unloaded : unloaded));
    }

    @Test
    void steadyLoadAtTheBeginningIsNotTheSpeed() throws InterruptedException {
        MeasuredPoint point = measure(() -> run(Duration.ofMillis(executions.get() < 8 ? 40 : 20)));

        assertThat(point.meanSeconds())
                .as("5 equal times of 40 ms, then the others")
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
    void reportsASizeWheneverItIsMorePrecise() throws InterruptedException {
        var repetitions = new ArrayList<Integer>();

        benchmark.measure(
                new Points.Fixed(List.of(64)),
                _ -> () -> run(Duration.ofMillis(executions.get() % 2 == 0 ? 1 : 3)),
                point -> repetitions.add(point.repetitions()));

        assertThat(repetitions).containsExactly(34, 67, 100);
    }

    private MeasuredPoint measure(Runnable kernel) throws InterruptedException {
        var points = new ArrayList<MeasuredPoint>();
        benchmark.measure(new Points.Fixed(List.of(64)), _ -> kernel, points::add);
        return points.getLast();
    }

    private void run(Duration duration) {
        time.work(duration);
        executions.incrementAndGet();
    }

    @Test
    void coLocatedWorkersRepeatUntilTheLastIsPrecise() throws InterruptedException {
        var unsure = new AtomicInteger(10);
        var coLocated =
                new CoLocatedProfilers(2, own -> own + (unsure.getAndDecrement() > 0 ? 1 : 0));
        var points = new ArrayList<MeasuredPoint>();

        benchmark(coLocated, Disturbance.NONE)
                .measure(
                        new Points.Fixed(List.of(64)),
                        _ -> () -> run(Duration.ofMillis(20)),
                        points::add);

        assertThat(points.getFirst().repetitions())
                .as("the other joins twice, is imprecise for 8 slots of 100 ms, then precise")
                .isEqualTo(9 * 5);
    }

    @Test
    void disturbedPointIsMeasuredAgain() throws InterruptedException {
        var points = new ArrayList<MeasuredPoint>();

        benchmark(CoLocatedProfilers.NONE, Disturbance.DEFAULT)
                .measure(
                        new Points.Fixed(List.of(64)),
                        _ -> () -> run(Duration.ofMillis(disturbedUntil(100))),
                        points::add);

        assertThat(points).extracting(MeasuredPoint::disturbed).startsWith(true).endsWith(false);
        assertThat(points.getLast().meanSeconds()).isCloseTo(0.020, within(1e-12));
    }

    @Test
    void persistentlyDisturbedPointIsMarked() throws InterruptedException {
        var points = new ArrayList<MeasuredPoint>();

        benchmark(CoLocatedProfilers.NONE, Disturbance.DEFAULT)
                .measure(
                        new Points.Fixed(List.of(32, 64)),
                        size ->
                                () ->
                                        run(
                                                size == 32
                                                        ? Duration.ofMillis(1)
                                                        : Duration.ofMillis(disturbedUntil(9_999))),
                        points::add);

        assertThat(points)
                .filteredOn(MeasuredPoint::disturbed)
                .extracting(MeasuredPoint::size)
                .as("3 sweeps, and 2 repeats")
                .containsExactly(64, 64, 64, 64, 64, 64, 64, 64, 64);
        assertThat(points.getLast().disturbed()).isTrue();
    }

    @Test
    void steadiestOfDisturbedAttemptsCounts() throws InterruptedException {
        List<MeasuredPoint> points =
                measureUnsteadily(CoLocatedProfilers.NONE, List.of(100, 50, 100));

        assertThat(points).as("3 sweeps of 3 attempts, and the second reported again").hasSize(10);
        assertThat(points.getLast()).isEqualTo(points.get(5));
        assertThat(points.getLast().disturbed()).isTrue();
        assertThat(points.getLast().meanSeconds())
                .as("20 and 50 ms alternately")
                .isCloseTo(0.035, within(0.001));
    }

    @Test
    void lastAttemptIsNotReportedAgainIfItIsTheSteadiest() throws InterruptedException {
        List<MeasuredPoint> points =
                measureUnsteadily(CoLocatedProfilers.NONE, List.of(100, 80, 60));

        assertThat(points).hasSize(9);
        assertThat(points.getLast().meanSeconds()).isCloseTo(0.040, within(0.001));
    }

    /** The attempts of this worker alone would favor the first and last. */
    @Test
    void coLocatedWorkersKeepTheJointlySteadiestAttempt() throws InterruptedException {
        var attempts = new AtomicInteger();
        List<Integer> unsteadinessOfTheOther = List.of(5_000, 400, 5_000);
        var coLocated =
                new CoLocatedProfilers(
                        2,
                        own ->
                                own > MAX_MILLIS
                                        ? own
                                                + unsteadinessOfTheOther.get(
                                                        attempts.getAndIncrement())
                                        : own);

        List<MeasuredPoint> points = measureUnsteadily(coLocated, List.of(50, 100, 50));

        assertThat(points).hasSize(10);
        assertThat(points.getLast()).isEqualTo(points.get(5));
        assertThat(points.getLast().meanSeconds()).isCloseTo(0.060, within(0.005));
    }

    /**
     * Runs for 20 ms and a longer time alternately in each attempt.
     *
     * @param longer longer times of the attempts, in milliseconds
     */
    private List<MeasuredPoint> measureUnsteadily(
            CoLocatedProfilers coLocated, List<Integer> longer) throws InterruptedException {
        var points = new ArrayList<MeasuredPoint>();
        benchmark(coLocated, Disturbance.DEFAULT)
                .measure(
                        new Points.Fixed(List.of(64)),
                        _ ->
                                () -> {
                                    int attempt = points.size() / 3;
                                    run(
                                            Duration.ofMillis(
                                                    executions.get() % 2 == 0
                                                            ? longer.get(attempt)
                                                            : 20));
                                },
                        points::add);
        return points;
    }

    /** Every second execution takes five times as long, up to the given one. */
    private int disturbedUntil(int last) {
        int execution = executions.get();
        return execution < last && execution % 2 == 0 ? 100 : 20;
    }

    @Test
    void adaptivePointsFollowTheBend() throws InterruptedException {
        var sizes = new TreeSet<Integer>();

        benchmark.measure(
                new Points.Adaptive(8, 512, 0.05, 20),
                size -> () -> run(Duration.ofMillis(10 + Math.max(size, 64))),
                point -> sizes.add(point.size()));

        assertThat(sizes)
                .as("constant up to 64, then linear: both are lines")
                .containsExactly(8, 23, 64, 181, 512);
    }

    @Test
    void adaptivePointsEndAtTheirLimit() throws InterruptedException {
        var sizes = new TreeSet<Integer>();

        benchmark.measure(
                new Points.Adaptive(1, 4096, 0.001, 7),
                size -> () -> run(Duration.ofNanos(1_000L * size * size)),
                point -> sizes.add(point.size()));

        assertThat(sizes).hasSize(7).contains(1, 64, 4096);
    }
}
