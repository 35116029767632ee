package dev.equipoise.app.observability;

import dev.equipoise.app.run.OpenRuns;
import dev.equipoise.app.run.RunState;
import dev.equipoise.app.worker.WorkerState;
import dev.equipoise.app.worker.Workers;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Gauges of the whole lab, equal on each instance of the service. One thread queries the database
 * every few seconds; readers of the gauges neither query nor wait. A value that is unknown or older
 * than 30 s is NaN.
 */
@Component
class LabGauges {

    private static final Logger log = LoggerFactory.getLogger(LabGauges.class);

    /** Age, in nanoseconds, from which a value is unknown. */
    private static final long OLDEST_NANOS = Duration.ofSeconds(30).toNanos();

    private final OpenRuns runs;
    private final Workers workers;
    private final Clock clock;
    private final AtomicBoolean counting = new AtomicBoolean();
    private volatile Counted last = new Counted(Map.of(), 0, 0, Map.of(), 0, false);

    /** Values at one moment of the monotonic clock. */
    private record Counted(
            Map<RunState, Long> runs,
            long paused,
            double oldestSeconds,
            Map<WorkerState, Long> workers,
            long at,
            boolean isKnown) {}

    LabGauges(OpenRuns runs, Workers workers, MeterRegistry meters) {
        this.runs = runs;
        this.workers = workers;
        this.clock = meters.config().clock();
        Stream.of(RunState.values())
                .filter(state -> !state.isTerminal())
                .forEach(state ->
                        gauge(
                                MeterNames.RUNS,
                                MeterNames.tag(state),
                                "Runs that have not ended",
                                it -> it.runs().getOrDefault(state, 0L),
                                meters));
        Stream.of(WorkerState.values())
                .filter(state -> state != WorkerState.LEFT)
                .forEach(state ->
                        gauge(
                                MeterNames.WORKERS,
                                MeterNames.tag(state),
                                "Workers that have not left",
                                it -> it.workers().getOrDefault(state, 0L),
                                meters));
        String inQueue = "Queued runs: waiting for workers, or paused before a restart";
        gauge(
                MeterNames.QUEUE_RUNS,
                "waiting",
                inQueue,
                it -> it.runs().getOrDefault(RunState.QUEUED, 0L) - it.paused(),
                meters);
        gauge(MeterNames.QUEUE_RUNS, "paused", inQueue, Counted::paused, meters);
        TimeGauge.builder(
                        MeterNames.QUEUE_OLDEST,
                        this,
                        TimeUnit.SECONDS,
                        it -> it.read(Counted::oldestSeconds))
                .description("Waiting time of the first run in the queue")
                .register(meters);
    }

    private void gauge(
            String name,
            String state,
            String description,
            ToDoubleFunction<Counted> value,
            MeterRegistry meters) {
        Gauge.builder(name, this, it -> it.read(value))
                .description(description)
                .tag(MeterNames.STATE, state)
                .register(meters);
    }

    private double read(ToDoubleFunction<Counted> value) {
        Counted now = last;
        return now.isKnown() && clock.monotonicTime() - now.at() < OLDEST_NANOS
                ? value.applyAsDouble(now)
                : Double.NaN;
    }

    /** Updates the values, unless an earlier update hangs. */
    @Scheduled(fixedRateString = "${equipoise.telemetry.period:5s}")
    void count() {
        if (!counting.compareAndSet(false, true)) {
            return;
        }
        try {
            long at = clock.monotonicTime();
            OpenRuns.Count open = runs.count();
            last =
                    new Counted(
                            open.byState(),
                            open.paused(),
                            open.oldest().toNanos() / 1e9,
                            workers.count(),
                            at,
                            true);
        } catch (RuntimeException failure) {
            log.debug("gauges of the lab cannot be updated", failure);
        } finally {
            counting.set(false);
        }
    }
}
