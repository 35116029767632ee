package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.collective.Broadcast;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Kind;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.server.LearningRates;
import dev.equipoise.agent.server.Mode;
import dev.equipoise.agent.server.OptimizerSteps;
import dev.equipoise.agent.server.ParameterServer;
import dev.equipoise.agent.server.Terms;
import dev.equipoise.protocol.AgentEvent.Strand;
import dev.equipoise.protocol.Topology;

/** What a rank does that serves: it answers the replicas, epoch by epoch. */
public final class Serving {

    private final ParameterServer server;
    private final Terms terms;
    private final OptimizerSteps steps;
    private final Participant participant;
    private final WeightsOfServers weightsOfServers;

    /**
     * Takes the rank's part of the weights over.
     *
     * @throws IllegalArgumentException where nobody serves in the plan
     */
    public Serving(Participant participant) {
        if (!(participant.plan().method().topology()
                instanceof Topology.ParameterServer topology)) {
            throw new IllegalArgumentException("nobody serves in " + participant.plan().method());
        }
        var servers = new Servers(participant, topology);
        this.participant = participant;
        this.terms = servers.terms();
        this.steps = servers.steps();
        this.server =
                new ParameterServer(
                        participant.channel(),
                        terms,
                        steps,
                        participant.weights(),
                        participant.order().of(Strand.MAIN),
                        participant.memory());
        if (keepsWeights()) {
            server.remembered(participant.remembered());
            steps.remembered(participant.remembered());
        }
        this.weightsOfServers =
                new WeightsOfServers(
                        new Broadcast(participant.channel(), participant.memory()),
                        terms.sharding(),
                        participant.weights());
    }

    /** One epoch; returns when every replica has come to its end. */
    public void serveAnEpoch() {
        Instruments instruments = participant.instruments();
        LearningRates before = steps.learningRates();
        server.serve(() -> instruments.end(Phase.WAIT), () -> instruments.end(Phase.TRANSFER));
        instruments.end(Phase.TRANSFER);
        instruments.sent(sends());
        LearningRates now = steps.learningRates();
        instruments.stepped(now.count() - before.count(), now.sum() - before.sum());
    }

    /** After an epoch: all ranks get the weights, and call this. */
    public void share() {
        if (keepsWeights()) {
            Instruments instruments = participant.instruments();
            server.copyWeights(participant.weights());
            instruments.end(Phase.APPLY);
            weightsOfServers.toAll();
            instruments.end(Phase.TRANSFER);
            instruments.sent(Kind.WEIGHTS);
        }
    }

    private Kind sends() {
        return keepsWeights() ? Kind.WEIGHTS : Kind.GRADIENT;
    }

    /** Whether the servers step the weights, or only sum what replicas step by. */
    public boolean keepsWeights() {
        return !(terms.mode() instanceof Mode.Aggregating);
    }

    /** As many as the replicas note, so that all tables are as long. */
    public int exchangesPerRound() {
        return keepsWeights() ? 0 : ServedRounds.EXCHANGES;
    }
}
