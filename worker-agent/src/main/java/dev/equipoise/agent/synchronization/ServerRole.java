package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.collective.Broadcast;
import dev.equipoise.agent.dataset.Shards;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.instrument.TrafficKind;
import dev.equipoise.agent.server.LearningRates;
import dev.equipoise.agent.server.Mode;
import dev.equipoise.agent.server.OptimizerSteps;
import dev.equipoise.agent.server.ParameterServer;
import dev.equipoise.agent.server.ServerConfiguration;
import dev.equipoise.protocol.RunReport.Strand;
import dev.equipoise.protocol.Topology;

/** Server role of a rank: answers the replicas, epoch by epoch. */
public final class ServerRole {

    private final ParameterServer server;
    private final ServerConfiguration configuration;
    private final OptimizerSteps steps;
    private final RankContext context;
    private final ServerWeightGather weightGather;

    /**
     * Takes over the rank's part of the weights.
     *
     * @throws IllegalArgumentException when the plan has no servers
     */
    public ServerRole(RankContext context) {
        if (!(context.plan().method().topology() instanceof Topology.ParameterServer topology)) {
            throw new IllegalArgumentException("no parameter server in " + context.plan().method());
        }
        var servers = new ServerConfigurations(context, topology);
        this.context = context;
        this.configuration = servers.configuration();
        this.steps = servers.steps();
        this.server =
                new ParameterServer(
                        context.channel(),
                        configuration,
                        steps,
                        context.weights(),
                        context.order().of(Strand.MAIN),
                        context.memory());
        if (keepsWeights()) {
            server.register(context.registry());
            steps.register(context.registry());
        }
        this.weightGather =
                new ServerWeightGather(
                        new Broadcast(context.channel(), context.memory()),
                        configuration.sharding(),
                        context.weights());
    }

    /**
     * Serves one epoch; returns when every replica has reached its end.
     *
     * @param epoch from 1
     */
    public void serve(int epoch) {
        Shards shards = context.shards().of(epoch);
        steps.begin(epoch, shards::batchSize);
        Instruments instruments = context.instruments();
        LearningRates before = steps.learningRates();
        server.serve(() -> instruments.end(Phase.WAIT), () -> instruments.end(Phase.TRANSFER));
        instruments.end(Phase.TRANSFER);
        instruments.sent(sentKind());
        LearningRates now = steps.learningRates();
        instruments.stepped(now.count() - before.count(), now.sum() - before.sum());
    }

    /** Broadcasts the weights to all ranks after an epoch; every rank calls it. */
    public void share() {
        if (keepsWeights()) {
            Instruments instruments = context.instruments();
            server.copyWeights(context.weights());
            instruments.end(Phase.APPLY);
            weightGather.toAll();
            instruments.end(Phase.TRANSFER);
            instruments.sent(TrafficKind.WEIGHTS);
        }
    }

    private TrafficKind sentKind() {
        return keepsWeights() ? TrafficKind.WEIGHTS : TrafficKind.GRADIENT;
    }

    /** Returns whether the servers step the weights, or only sum vectors of the replicas. */
    public boolean keepsWeights() {
        return !(configuration.mode() instanceof Mode.Aggregating);
    }

    /** Equals the number on replicas, so that the tables of timestamps have equal lengths. */
    public int exchangesPerRound() {
        return keepsWeights() ? 0 : ServedRounds.EXCHANGES;
    }
}
