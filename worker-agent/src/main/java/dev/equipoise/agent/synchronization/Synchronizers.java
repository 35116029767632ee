package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.collective.Broadcast;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Kind;
import dev.equipoise.agent.optimizer.Optimizer;
import dev.equipoise.agent.optimizer.Stepper;
import dev.equipoise.agent.order.Decisions;
import dev.equipoise.agent.server.RemoteParameters;
import dev.equipoise.protocol.AgentEvent.Strand;
import dev.equipoise.protocol.Clipping;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Schedule;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Synchronization.Momentum;
import dev.equipoise.protocol.Topology;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Makes the synchroniser that a plan asks for. */
public final class Synchronizers {

    private final Participant participant;
    private final Summations summations;
    private final Portions portions;

    private Synchronizers(Participant participant) {
        this.participant = participant;
        this.summations = new Summations(participant, participant.instruments(), Strand.MAIN);
        this.portions = new Portions(participant.plan(), participant.shards(), participant.rank());
    }

    /**
     * For a rank that trains; all ranks make theirs at once.
     *
     * @throws IllegalArgumentException where the plan's choices do not go together
     */
    public static Synchronizer of(Participant participant) {
        return new Synchronizers(participant).make();
    }

    private Synchronizer make() {
        RemoteParameters servers = summations.servers();
        if (servers == null) {
            return makeRounds();
        }
        return isOnArrival()
                ? onArrival(servers)
                : new ServedRounds(makeRounds(), servers, participant.instruments());
    }

    private boolean isOnArrival() {
        Synchronization synchronization = participant.plan().method().synchronization();
        return synchronization instanceof Synchronization.Async
                || synchronization instanceof Synchronization.StaleSynchronous;
    }

    private Synchronizer onArrival(RemoteParameters remote) {
        var topology = (Topology.ParameterServer) participant.plan().method().topology();
        var servers = new Servers(participant, topology);
        return new ServedOnArrival(
                remote,
                new WeightsOfServers(
                        new Broadcast(participant.channel(), participant.memory()),
                        servers.terms().sharding(),
                        participant.weights()),
                participant.weights(),
                participant.plan(),
                servers.correction(),
                servers.greatestStaleness(),
                participant.words(),
                participant.remembered(),
                participant.instruments());
    }

    private Synchronizer makeRounds() {
        return switch (participant.plan().method().synchronization()) {
            case Synchronization.Bsp _ ->
                    new Bsp(
                            stepper(),
                            coded(),
                            portions,
                            participant.remembered(),
                            participant.instruments());
            case Synchronization.LocalSgd settings -> localSgd(settings);
            case Synchronization.DiLoCo settings -> diLoCo(settings);
            case Synchronization.Async settings -> async(settings);
            case Synchronization.AdPsgd _ -> adPsgd();
            case Synchronization.StaleSynchronous settings ->
                    throw new IllegalArgumentException(settings + " wants a parameter server");
        };
    }

    private Synchronizer localSgd(Synchronization.LocalSgd settings) {
        return switch (participant.plan().method().topology()) {
            case Topology.Gossip gossip -> gossip(settings, gossip);
            case Topology.AllReduce _, Topology.ParameterServer _ ->
                    localSgd(settings, 1, meanOfWeights());
        };
    }

    private Synchronizer localSgd(
            Synchronization.LocalSgd settings, double stretch, Agreement agreement) {
        Agreement memories =
                settings.momentum() == Momentum.AVERAGE
                        ? plainMean()
                        : (_, _) -> {
                            throw new IllegalStateException("memories stay where they are");
                        };
        return new LocalSgd(
                settings,
                participant.weights(),
                stepper(),
                stretch,
                agreement,
                memories,
                portions,
                participant.remembered(),
                participant.instruments());
    }

    private Agreement meanOfWeights() {
        return participant.plan().method().compression() instanceof Compression.None
                ? plainMean()
                : new MeanOfUpdates(coded(), participant.instruments(), anchor());
    }

    private Agreement plainMean() {
        return new MeanOfWeights(summations.plain(Kind.WEIGHTS), participant.instruments());
    }

    private Synchronizer diLoCo(Synchronization.DiLoCo settings) {
        Anchor anchor = anchor();
        var outer =
                new OptimizerSpec.Sgd(
                        settings.outerLearningRate(),
                        settings.outerMomentum(),
                        settings.outerMomentum() > 0,
                        new Schedule.Constant(0),
                        new Clipping.None());
        return new DiLoCo(
                settings.period(),
                participant.weights(),
                stepper(),
                participant.remembering(
                        new Stepper(
                                Optimizer.of(outer, 1, 1), anchor.weights(), participant.memory())),
                anchor,
                coded(),
                portions,
                participant.remembered(),
                participant.instruments());
    }

    private Synchronizer gossip(Synchronization.LocalSgd settings, Topology.Gossip gossip) {
        var neighbours = new Neighbours(participant, gossip);
        double stretch = gossip.mixing() == Topology.Mixing.METROPOLIS ? 1 : portions.stretch();
        if (gossip.mixing() == Topology.Mixing.PUSH_SUM) {
            return neighbours.pushSum(settings.period(), stretch);
        }
        if (gossip.payload() == Topology.Payload.GRADIENT) {
            return new GradientGossip(
                    settings.period(),
                    stepper(),
                    stretch,
                    neighbours.mixer(Kind.GRADIENT),
                    participant.vector(),
                    participant.weights(),
                    globalMean(gossip),
                    participant.remembered(),
                    participant.instruments());
        }
        Agreement agreement = agreement(gossip, neighbours);
        return localSgd(
                settings,
                stretch,
                globalMean(gossip)
                        .<Agreement>map(mean -> new GlobalAverage(agreement, mean))
                        .orElse(agreement));
    }

    private Agreement agreement(Topology.Gossip gossip, Neighbours neighbours) {
        return gossip.payload() == Topology.Payload.WEIGHTS
                ? neighbours.weights()
                : new UpdateGossip(
                        neighbours.mixer(Kind.GRADIENT), participant.instruments(), anchor());
    }

    private Optional<GlobalMean> globalMean(Topology.Gossip gossip) {
        return gossip.globalAverageEvery() == 0
                ? Optional.empty()
                : Optional.of(
                        new GlobalMean(
                                plainMean(),
                                portion(gossip),
                                gossip.globalAverageEvery(),
                                participant.remembered()));
    }

    /** As in the long run of the gossip: with Metropolis weights by samples, else all alike. */
    private double portion(Topology.Gossip gossip) {
        return gossip.mixing() == Topology.Mixing.METROPOLIS
                ? portions.ofEpoch()
                : portions.alike();
    }

    private Synchronizer async(Synchronization.Async settings) {
        Instruments background = participant.instrumentsOfBackground();
        var inBackground = new Summations(participant, background, Strand.BACKGROUND);
        Integer bound = settings.maxStaleness();
        if (bound == null) {
            throw new IllegalArgumentException("over an all-reduce staleness needs a bound");
        }
        return new BackgroundAllReduce(
                new Contributions(
                        participant.plan().loss().reduction(),
                        settings.weighting(),
                        participant.channel().size(),
                        inBackground.figures(Contributions.FIGURES),
                        inBackground.coded(Kind.GRADIENT),
                        background,
                        participant.words(),
                        participant.vector(),
                        participant.memory()),
                participant.background(),
                stepper(),
                participant.instruments(),
                participant.order().of(Strand.MAIN),
                participant.plan().division().counts().get(participant.rank()),
                bound,
                participant.vector(),
                participant.vector());
    }

    private Synchronizer adPsgd() {
        MemorySegment weights = participant.vector().copyFrom(participant.weights());
        participant.remembered().vector(weights);
        var shared = new SharedWeights(weights, participant.background().turns());
        Instruments background = participant.instrumentsOfBackground();
        Decisions inBackground = participant.order().of(Strand.BACKGROUND);
        Meetings meetings =
                participant.rank() % 2 == 0
                        ? new ActiveMeetings(
                                participant.channel(),
                                shared,
                                background,
                                inBackground,
                                participant.plan().seed(),
                                participant.vector(),
                                participant.vector(),
                                participant.memory())
                        : new PassiveMeetings(
                                participant.channel(),
                                shared,
                                background,
                                inBackground,
                                participant.vector(),
                                participant.memory());
        participant.remembered().number(meetings::drawn, meetings::resumeAfter);
        return new AdPsgd(
                meetings,
                shared,
                participant.background(),
                participant.stepper(weights),
                portions.stretch(),
                participant.weights(),
                participant.instruments(),
                participant.order().of(Strand.MAIN));
    }

    /** Of gradients, with the words behind them. */
    private Summation coded() {
        Summation summation = summations.coded(Kind.GRADIENT);
        return (vector, factor) -> {
            participant.words().turnOver();
            return summation.of(vector, factor);
        };
    }

    private Stepper stepper() {
        return participant.stepper(participant.weights());
    }

    private Anchor anchor() {
        MemorySegment weights = participant.vector().copyFrom(participant.weights());
        participant.remembered().vector(weights);
        return new Anchor(weights, participant.vector());
    }
}
