package dev.equipoise.app.observability;

import dev.equipoise.app.run.EpochReported;
import dev.equipoise.app.run.RankLost;
import dev.equipoise.app.run.RunEnded;
import dev.equipoise.app.run.RunPlaced;
import dev.equipoise.app.run.RunReconfigured;
import dev.equipoise.app.run.RunRestarted;
import dev.equipoise.app.run.RunState;
import dev.equipoise.protocol.EpochFinished.Phases;
import dev.equipoise.protocol.EpochFinished.Traffic;
import dev.equipoise.protocol.FailureCause;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * Counts the events of this instance of the service after their commit: a rollback does not count,
 * a retry counts once. The sum over all instances is that of the lab.
 */
@Component
class EventCounters {

    private static final String NO_CAUSE = "none";

    /**
     * Longest epoch that counts. A hostile agent may report more; a counter that has grown by it no
     * longer shows the seconds of other ranks, since doubles that large are further apart.
     */
    private static final Duration LONGEST_EPOCH = Duration.ofDays(365);

    private static final Duration[] WAIT_BUCKETS = {
        Duration.ofMillis(100),
        Duration.ofMillis(300),
        Duration.ofSeconds(1),
        Duration.ofSeconds(3),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofMinutes(2),
        Duration.ofMinutes(10),
        Duration.ofHours(1),
        Duration.ofHours(6),
        Duration.ofDays(1)
    };

    private final MeterRegistry meters;
    private final Counter placements;
    private final Timer placement;
    private final Counter ranksLost;
    private final Counter restarts;
    private final Counter reconfigurations;
    private final Counter compute;
    private final Counter encode;
    private final Counter transfer;
    private final Counter wait;
    private final Counter apply;
    private final Counter gradients;
    private final Counter weights;
    private final Counter control;

    EventCounters(MeterRegistry meters) {
        this.meters = meters;
        this.placements = counter(MeterNames.PLACEMENTS, "Placements of runs");
        this.placement =
                Timer.builder(MeterNames.PLACEMENT)
                        .description("Time that runs waited for their placement")
                        .serviceLevelObjectives(WAIT_BUCKETS)
                        .register(meters);
        this.ranksLost =
                counter(
                        MeterNames.RANKS_LOST,
                        "Ranks that runs lost through no fault of their definition");
        this.restarts = counter(MeterNames.SETBACKS, "Restarts of runs that lost their workers");
        this.reconfigurations = counter(MeterNames.REGROUPS, "Reconfigurations of runs");
        this.compute = phase("compute");
        this.encode = phase("encode");
        this.transfer = phase("transfer");
        this.wait = phase("wait");
        this.apply = phase("apply");
        this.gradients = bytes("gradient");
        this.weights = bytes("weights");
        this.control = bytes("control");
        ended(RunState.COMPLETED, null);
        ended(RunState.CANCELLED, null);
        List.of(FailureCause.values()).forEach(cause -> ended(RunState.FAILED, cause));
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).register(meters);
    }

    private Counter phase(String phase) {
        return Counter.builder(MeterNames.PHASE_SECONDS)
                .description("Phase times of the epochs of all ranks")
                .tag(MeterNames.PHASE, phase)
                .register(meters);
    }

    private Counter bytes(String kind) {
        return Counter.builder(MeterNames.BYTES)
                .description("Bytes that ranks sent to one another in their epochs")
                .tag(MeterNames.KIND, kind)
                .register(meters);
    }

    private Counter ended(RunState state, @Nullable FailureCause cause) {
        return Counter.builder(MeterNames.RUNS_ENDED)
                .description("Runs that have ended")
                .tag(MeterNames.STATE, MeterNames.tag(state))
                .tag(MeterNames.CAUSE, cause == null ? NO_CAUSE : MeterNames.tag(cause))
                .register(meters);
    }

    @TransactionalEventListener
    void on(RunPlaced placed) {
        placements.increment();
        placement.record(placed.waited());
    }

    @TransactionalEventListener
    void on(RunEnded ended) {
        ended(ended.state(), ended.cause()).increment();
    }

    @TransactionalEventListener
    void on(RunRestarted restarted) {
        restarts.increment();
    }

    @TransactionalEventListener
    void on(RunReconfigured reconfigured) {
        reconfigurations.increment();
    }

    @TransactionalEventListener
    void on(RankLost lost) {
        ranksLost.increment();
    }

    /**
     * Counts an epoch, unless it is one of a virtual run, whose seconds no worker spent, or one
     * that is longer than {@link #LONGEST_EPOCH}.
     */
    @TransactionalEventListener
    void on(EpochReported reported) {
        Phases phases = reported.figures().phases();
        if (reported.isVirtual() || longest(phases) > LONGEST_EPOCH.toSeconds()) {
            return;
        }
        compute.increment(phases.computeSeconds());
        encode.increment(phases.encodeSeconds());
        transfer.increment(phases.transferSeconds());
        wait.increment(phases.waitSeconds());
        apply.increment(phases.applySeconds());
        Traffic traffic = reported.figures().traffic();
        gradients.increment((double) traffic.gradientBytes());
        weights.increment((double) traffic.weightBytes());
        control.increment((double) traffic.controlBytes());
    }

    private static double longest(Phases phases) {
        return DoubleStream.of(
                        phases.computeSeconds(),
                        phases.encodeSeconds(),
                        phases.transferSeconds(),
                        phases.waitSeconds(),
                        phases.applySeconds())
                .max()
                .orElseThrow();
    }
}
