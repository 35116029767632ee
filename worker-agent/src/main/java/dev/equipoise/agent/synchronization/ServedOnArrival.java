package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.instrument.TrafficKind;
import dev.equipoise.agent.optimizer.SchedulePosition;
import dev.equipoise.agent.server.RemoteParameters;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.StalenessCorrection;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Asynchronous SGD and SSP at parameter servers: each round pulls the weights and pushes a
 * gradient.
 */
final class ServedOnArrival implements Synchronizer {

    private final RemoteParameters servers;
    private final ServerWeightGather weightGather;
    private final MemorySegment weights;
    private final TrainingPlan plan;
    private final StalenessCorrection correction;
    private final Optional<Long> greatestStaleness;
    private final Runnable beforePush;
    private final SchedulePosition position;
    private final Instruments instruments;
    private long rounds;

    /**
     * @param greatestStaleness bound that the servers guarantee
     * @param beforePush runs before each gradient is pushed
     */
    ServedOnArrival(
            RemoteParameters servers,
            ServerWeightGather weightGather,
            MemorySegment weights,
            TrainingPlan plan,
            StalenessCorrection correction,
            Optional<Long> greatestStaleness,
            Runnable beforePush,
            RankStateRegistry registry,
            Instruments instruments) {
        this.servers = servers;
        this.weightGather = weightGather;
        this.weights = weights;
        this.plan = plan;
        this.correction = correction;
        this.greatestStaleness = greatestStaleness;
        this.beforePush = beforePush;
        int replicas = plan.division().ranks() - plan.method().topology().servers();
        this.position =
                new SchedulePosition(plan.trainingSamples(), plan.division().rounds() * replicas);
        this.instruments = instruments;
        registry.number(() -> rounds, it -> rounds = it);
    }

    @Override
    public void begin() {
        servers.pull(weights, () -> instruments.end(Phase.WAIT));
        instruments.end(Phase.TRANSFER);
        instruments.sent(TrafficKind.CONTROL);
    }

    @Override
    public void update(MemorySegment gradient, int samples) {
        if (samples > 0) {
            push(gradient);
        } else {
            servers.skip();
            instruments.end(Phase.TRANSFER);
            instruments.sent(TrafficKind.CONTROL);
        }
        rounds++;
    }

    private void push(MemorySegment gradient) {
        beforePush.run();
        long staleness = requireWithinBound(servers.push(gradient));
        instruments.end(Phase.TRANSFER);
        instruments.sent(TrafficKind.GRADIENT);
        if (!correction.drops(staleness)) {
            instruments.applied(staleness);
            instruments.stepped(correction.factor(staleness) * learningRate());
        }
    }

    private long requireWithinBound(long staleness) {
        if (greatestStaleness.filter(bound -> staleness > bound).isPresent()) {
            throw new IllegalStateException(
                    "the staleness of a gradient is %d updates, above the limit of %d"
                            .formatted(staleness, greatestStaleness.get()));
        }
        return staleness;
    }

    /** Returns the scheduled rate with which the servers applied the latest gradient. */
    private double learningRate() {
        OptimizerSpec spec = plan.optimizer();
        int epoch = 1 + Math.toIntExact(rounds / plan.division().rounds());
        return spec.learningRate()
                * spec.schedule()
                        .factor(
                                position.step(epoch, servers.samplesBefore()),
                                position.stepsPerEpoch(),
                                plan.epochs());
    }

    @Override
    public void settle() {
        servers.pause();
        instruments.end(Phase.WAIT);
        instruments.sent(TrafficKind.CONTROL);
    }

    @Override
    public void share() {
        weightGather.toAll();
        instruments.end(Phase.TRANSFER);
        instruments.sent(TrafficKind.WEIGHTS);
    }

    @Override
    public boolean keepsReplicasEqual() {
        return true;
    }

    @Override
    public int exchangesPerRound() {
        return 0;
    }
}
