package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.checkpoint.Remembered;
import dev.equipoise.agent.codec.Words;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Kind;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.server.RemoteParameters;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.StalenessCorrection;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Each round begins with the servers' weights and ends with a gradient that they apply. */
final class ServedOnArrival implements Synchronizer {

    private final RemoteParameters servers;
    private final WeightsOfServers weightsOfServers;
    private final MemorySegment weights;
    private final TrainingPlan plan;
    private final StalenessCorrection correction;
    private final Optional<Long> greatestStaleness;
    private final Words words;
    private final Instruments instruments;
    private long rounds;

    /**
     * @param greatestStaleness which the servers promise
     * @param words told of with each gradient
     */
    ServedOnArrival(
            RemoteParameters servers,
            WeightsOfServers weightsOfServers,
            MemorySegment weights,
            TrainingPlan plan,
            StalenessCorrection correction,
            Optional<Long> greatestStaleness,
            Words words,
            Remembered remembered,
            Instruments instruments) {
        this.servers = servers;
        this.weightsOfServers = weightsOfServers;
        this.weights = weights;
        this.plan = plan;
        this.correction = correction;
        this.greatestStaleness = greatestStaleness;
        this.words = words;
        this.instruments = instruments;
        remembered.number(() -> rounds, it -> rounds = it);
    }

    @Override
    public void begin() {
        servers.pull(weights, () -> instruments.end(Phase.WAIT));
        instruments.end(Phase.TRANSFER);
        instruments.sent(Kind.CONTROL);
    }

    @Override
    public void update(MemorySegment gradient, int samples) {
        words.turnOver();
        long staleness = requireWithinBound(servers.push(gradient));
        instruments.end(Phase.TRANSFER);
        instruments.sent(Kind.GRADIENT);
        if (!correction.drops(staleness)) {
            instruments.applied(staleness);
            instruments.stepped(correction.factor(staleness) * learningRate());
        }
        rounds++;
    }

    private long requireWithinBound(long staleness) {
        if (greatestStaleness.filter(bound -> staleness > bound).isPresent()) {
            throw new IllegalStateException(
                    "a gradient was %d updates late, where no more than %d can be"
                            .formatted(staleness, greatestStaleness.get()));
        }
        return staleness;
    }

    /** As the servers have it who have heard as much of everybody. */
    private double learningRate() {
        OptimizerSpec spec = plan.optimizer();
        return spec.learningRate()
                * spec.schedule().factor(rounds, plan.division().rounds(), plan.epochs());
    }

    @Override
    public void settle() {
        servers.pause();
        instruments.end(Phase.WAIT);
        instruments.sent(Kind.CONTROL);
    }

    @Override
    public void share() {
        weightsOfServers.toAll();
        instruments.end(Phase.TRANSFER);
        instruments.sent(Kind.WEIGHTS);
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
