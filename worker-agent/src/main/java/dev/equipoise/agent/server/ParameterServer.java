package dev.equipoise.agent.server;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.agent.instrument.StalenessHistogram;
import dev.equipoise.agent.order.ChoiceSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * One thread answers all replicas. A header says what a replica requests; the header of a push is
 * followed by the gradient, segment by segment. The policy decides when the gradient is applied and
 * how.
 */
/**
 * Parameter server: a rank that holds shards of the weights for the replicas and does not train.
 */
public final class ParameterServer {

    private final Channel channel;
    private final ChoiceSource choices;
    private final Sharding sharding;
    private final ServerPolicy policy;
    private final UpdateApplier applier;
    private final List<ServedRank> replicas;
    private final @Nullable ServedRank[] replicaByRank;
    private final @Nullable ServedShard[] servedByIndex;

    /**
     * Takes over this rank's shards of the vector, and allocates as much memory for each replica.
     *
     * @param update of the weights; not called if servers only aggregate
     * @param initial the whole float32 vector; read once
     * @param memory must outlive the server
     */
    public ParameterServer(
            Channel channel,
            ServerConfiguration configuration,
            Update update,
            MemorySegment initial,
            Arena memory) {
        this(channel, configuration, update, initial, ChoiceSource.FREE, memory);
    }

    /**
     * Creates a server whose choices can be recorded and replayed.
     *
     * @param choices the source of choices: the replica that the server receives from next
     */
    public ParameterServer(
            Channel channel,
            ServerConfiguration configuration,
            Update update,
            MemorySegment initial,
            ChoiceSource choices,
            Arena memory) {
        this.channel = channel;
        this.choices = choices;
        this.sharding = configuration.sharding();
        sharding.requireLength(initial);
        List<Shard> own = sharding.of(channel.rank());
        this.servedByIndex = new ServedShard[sharding.shards().size()];
        ServedRank.Sizes sizes = createShards(own, configuration, initial, memory);
        this.replicas = replicas(configuration, sizes, memory);
        this.replicaByRank = new ServedRank[channel.size()];
        replicas.forEach(replica -> replicaByRank[replica.rank()] = replica);
        boolean keepsWeights = !(configuration.mode() instanceof Mode.Aggregating);
        this.applier = new UpdateApplier(keepsWeights ? update : Aggregates.REPLACEMENT);
        this.policy = policy(configuration, own, memory);
    }

    private ServedRank.Sizes createShards(
            List<Shard> own,
            ServerConfiguration configuration,
            MemorySegment initial,
            Arena memory) {
        long slotBytes = 0;
        long frameBytes = 0;
        for (Shard shard : own) {
            var served =
                    new ServedShard(shard, slotBytes, configuration.codec(shard), initial, memory);
            servedByIndex[shard.index()] = served;
            slotBytes += shard.bytes();
            frameBytes = Math.max(frameBytes, served.largestFrame());
        }
        return new ServedRank.Sizes(slotBytes, frameBytes, servedByIndex.length);
    }

    private List<ServedRank> replicas(
            ServerConfiguration configuration, ServedRank.Sizes sizes, Arena memory) {
        long seed = configuration.coding().map(GradientCoding::seed).orElse(0L);
        List<ServedRank> all = new ArrayList<>();
        for (int rank : configuration.roles().replicas()) {
            all.add(new ServedRank(channel, rank, all.size(), seed, sizes, memory));
        }
        return List.copyOf(all);
    }

    private ServerPolicy policy(ServerConfiguration configuration, List<Shard> own, Arena memory) {
        int shards = servedByIndex.length;
        return switch (configuration.mode()) {
            case Mode.Synchronous(Mode.Aggregate aggregate) ->
                    new Rounds(replicas, aggregate, applier, new PullReplies.Values());
            case Mode.Aggregating(Mode.Aggregate aggregate) ->
                    new Rounds(
                            replicas,
                            aggregate,
                            applier,
                            new Aggregates(configuration.answerCodec(), own, memory));
            case Mode.Asynchronous() -> new OnArrival(applier, new StalenessGate.Open());
            case Mode.StaleSynchronous(int bound) ->
                    new OnArrival(applier, new BoundedGate(replicas, bound, shards));
            case Mode.Barrier(int bound) ->
                    new OnArrival(applier, new BarrierGate(replicas, bound, shards));
        };
    }

    /**
     * Registers the weights of this server's shards, so that a run can continue from them; valid
     * between calls of serve.
     */
    public void register(RankStateRegistry registry) {
        for (Shard shard : sharding.of(channel.rank())) {
            registry.vector(served(shard.index()).weights());
        }
    }

    /**
     * Serves until every replica has paused; then no frame is under way, and the channel is free
     * for other exchanges. A later call continues with the current weights and counters, but
     * restarts all clocks.
     *
     * @throws dev.equipoise.agent.channel.ChannelFailed when a replica is lost and the channel does
     *     not tolerate losses, or when all replicas are silent for too long
     * @throws MessageRefused when a replica sends an invalid message; close the channel then, so
     *     that the others notice
     */
    public void serve() {
        serve(() -> {}, () -> {});
    }

    /**
     * Serves like {@link #serve()} and reports progress.
     *
     * @param received runs whenever a replica's message has arrived
     * @param handled runs when the message is handled
     */
    public void serve(Runnable received, Runnable handled) {
        policy.resume();
        replicas.forEach(ServedRank::restartRounds);
        replicas.forEach(ServedRank::awaitHeader);
        int active = replicas.size();
        while (active > 0) {
            int rank = choices.choose(channel::awaitAny);
            boolean hasMessage = channel.awaitReceivedOrLost(rank);
            received.run();
            ServedRank replica = replicaByRank[rank];
            if (replica != null) {
                if (hasMessage) {
                    receive(replica);
                } else {
                    handleLoss(replica);
                }
                active -= replica.isPaused() ? 1 : 0;
            }
            handled.run();
        }
        replicas.forEach(replica -> channel.awaitSent(replica.rank()));
    }

    /**
     * Handles the loss of a replica: drops its incomplete gradient, and no other replica waits for
     * it.
     */
    private void handleLoss(ServedRank replica) {
        replica.markLost();
        policy.pause();
    }

    /** The staleness of all gradients applied so far; call only between calls of serve. */
    public StalenessHistogram staleness() {
        return applier.staleness();
    }

    /** Number of gradients that the update has dropped so far; call only between calls of serve. */
    public long dropped() {
        return applier.dropped();
    }

    /** The version of a shard: how often it has changed; call only between calls of serve. */
    public long version(int shard) {
        return served(shard).version();
    }

    /**
     * Copies this server's part of the weights, or of the last aggregate if servers only aggregate,
     * into a vector. Call only between calls of serve.
     *
     * @param weights the whole float32 vector
     */
    public void copyWeights(MemorySegment weights) {
        sharding.requireLength(weights);
        for (Shard shard : sharding.of(channel.rank())) {
            MemorySegment.copy(
                    served(shard.index()).weights(), 0, weights, shard.offset(), shard.bytes());
        }
    }

    private void receive(ServedRank replica) {
        Message push = replica.pushing();
        if (push == null) {
            answer(replica, replica.message());
        } else {
            ServedShard served = served(push.shard());
            replica.hasReceived(push, served);
            policy.advance(replica, push, served);
        }
    }

    private void answer(ServedRank replica, Message message) {
        switch (message.kind()) {
            case PULL -> policy.pull(replica, message, served(message.shard()));
            case PUSH -> begin(replica, message, served(message.shard()));
            case SKIP -> policy.skip(replica, message, served(message.shard()));
            case PAUSE -> {
                replica.pause();
                policy.pause();
            }
            case VALUES, APPLIED ->
                    throw new MessageRefused(
                            "rank %d sent %s to a server, which accepts PULL, PUSH, SKIP and PAUSE only"
                                    .formatted(replica.rank(), message));
        }
    }

    private void begin(ServedRank replica, Message push, ServedShard served) {
        if (!served.accepts(push) || !policy.accepts(push, served)) {
            throw new MessageRefused(
                    "rank %d sent %s for %s of version %d"
                            .formatted(replica.rank(), push, served.shard(), served.version()));
        }
        replica.awaitGradient(push, served);
        policy.advance(replica, push, served);
    }

    private ServedShard served(int shard) {
        ServedShard served =
                shard < 0 || shard >= servedByIndex.length ? null : servedByIndex[shard];
        if (served == null) {
            throw new MessageRefused(
                    "rank %d does not own shard %d".formatted(channel.rank(), shard));
        }
        return served;
    }
}
