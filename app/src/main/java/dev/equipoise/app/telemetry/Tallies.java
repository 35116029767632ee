package dev.equipoise.app.telemetry;

import dev.equipoise.app.run.EpochTold;
import dev.equipoise.app.run.RankLost;
import dev.equipoise.app.run.RunEnded;
import dev.equipoise.app.run.RunPlaced;
import dev.equipoise.app.run.RunRegrouped;
import dev.equipoise.app.run.RunSetBack;
import dev.equipoise.app.run.RunState;
import dev.equipoise.protocol.AgentEvent.Phases;
import dev.equipoise.protocol.AgentEvent.Traffic;
import dev.equipoise.protocol.FailureCause;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * Counts what this instance of the service has done, once it is committed: what is rolled back is
 * not counted, and what is tried again, once. All instances together have done the sum.
 */
@Component
class Tallies {

    private static final String NO_CAUSE = "none";

    private static final Duration[] WAITS = {
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
    private final Counter setbacks;
    private final Counter regroups;
    private final Counter compute;
    private final Counter encode;
    private final Counter transfer;
    private final Counter wait;
    private final Counter apply;
    private final Counter gradients;
    private final Counter weights;
    private final Counter control;

    Tallies(MeterRegistry meters) {
        this.meters = meters;
        this.placements = counter(MeterNames.PLACEMENTS, "Runs that were given their workers");
        this.placement =
                Timer.builder(MeterNames.PLACEMENT)
                        .description("How long runs waited until they were given their workers")
                        .serviceLevelObjectives(WAITS)
                        .register(meters);
        this.ranksLost =
                counter(MeterNames.RANKS_LOST, "Ranks that runs have lost by no fault of theirs");
        this.setbacks = counter(MeterNames.SETBACKS, "Runs that lost their workers and wait again");
        this.regroups = counter(MeterNames.REGROUPS, "Runs that went on with other ranks");
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
                .description("What ranks have spent the time of their epochs on")
                .tag(MeterNames.PHASE, phase)
                .register(meters);
    }

    private Counter bytes(String kind) {
        return Counter.builder(MeterNames.BYTES)
                .description("What ranks have sent one another in their epochs")
                .tag(MeterNames.KIND, kind)
                .register(meters);
    }

    private Counter ended(RunState state, @Nullable FailureCause cause) {
        return Counter.builder(MeterNames.RUNS_ENDED)
                .description("Runs that have come to their end")
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
    void on(RunEnded over) {
        ended(over.state(), over.cause()).increment();
    }

    @TransactionalEventListener
    void on(RunSetBack setBack) {
        setbacks.increment();
    }

    @TransactionalEventListener
    void on(RunRegrouped regrouped) {
        regroups.increment();
    }

    @TransactionalEventListener
    void on(RankLost lost) {
        ranksLost.increment();
    }

    /** What a virtual run tells is no time that any worker has spent. */
    @TransactionalEventListener
    void on(EpochTold told) {
        if (told.isVirtual()) {
            return;
        }
        Phases phases = told.figures().phases();
        compute.increment(phases.computeSeconds());
        encode.increment(phases.encodeSeconds());
        transfer.increment(phases.transferSeconds());
        wait.increment(phases.waitSeconds());
        apply.increment(phases.applySeconds());
        Traffic traffic = told.figures().traffic();
        gradients.increment((double) traffic.gradientBytes());
        weights.increment((double) traffic.weightBytes());
        control.increment((double) traffic.controlBytes());
    }
}
