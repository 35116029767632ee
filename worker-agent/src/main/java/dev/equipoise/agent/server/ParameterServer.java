package dev.equipoise.agent.server;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.collective.FloatSum;
import dev.equipoise.agent.collective.Slices;
import dev.equipoise.agent.instrument.StalenessCount;
import dev.equipoise.agent.instrument.StalenessHistogram;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * One thread answers whoever speaks. A header says what a worker wants; behind that of a push comes
 * the gradient, slice by slice. Applied on arrival (Dean et al., Large scale distributed deep
 * networks, NIPS 2012), or, in rounds, when all have come. Each slice of a round is summed as soon
 * as every worker's is there, while the next ones move, and in the order of the ranks, so that the
 * sum does not depend on who was first.
 */
/** A rank that keeps weights for others and does not train. */
public final class ParameterServer {

    private final Channel channel;
    private final Mode mode;
    private final Update update;
    private final List<Worker> workers;
    private final @Nullable Worker[] ofRank;
    private final @Nullable Holding[] ofShard;
    private final StalenessCount staleness = new StalenessCount();
    private final FloatSum sum = FloatSum.fastest();
    private final FloatScale scale = FloatScale.fastest();
    private int gone;

    /** The workers who have begun to bring the gradient of this round. */
    private int bringing;

    /** The bytes of this round's gradient that are summed. */
    private long summed;

    /**
     * Takes this rank's shards of the vector over, and sets as much memory aside for each worker.
     *
     * @param sharding equal on all ranks, as are {@code roles}
     * @param initial the whole vector of float32; read once
     * @param memory must outlive it
     */
    public ParameterServer(
            Channel channel,
            Roles roles,
            Sharding sharding,
            Mode mode,
            Update update,
            MemorySegment initial,
            Arena memory) {
        requireLength(sharding, initial);
        roles.requireServed(sharding);
        this.channel = channel;
        this.mode = mode;
        this.update = update;
        int shards = sharding.shards().size();
        List<Shard> own = sharding.of(channel.rank());
        long bytes = own.stream().mapToLong(Shard::bytes).sum();
        this.workers =
                roles.workers().stream()
                        .map(rank -> new Worker(rank, bytes, shards, memory))
                        .toList();
        this.ofRank = new Worker[channel.size()];
        workers.forEach(worker -> ofRank[worker.rank()] = worker);
        this.ofShard = new Holding[shards];
        long place = 0;
        for (Shard shard : own) {
            ofShard[shard.index()] = new Holding(shard, place, initial, memory);
            place += shard.bytes();
        }
    }

    private static void requireLength(Sharding sharding, MemorySegment initial) {
        if (initial.byteSize() != sharding.bytes()) {
            throw new IllegalArgumentException(
                    "the vector must have %d bytes, but has %d"
                            .formatted(sharding.bytes(), initial.byteSize()));
        }
    }

    /**
     * Answers until every worker has left.
     *
     * @throws dev.equipoise.agent.channel.ChannelFailed when a worker is lost, or none speaks for
     *     too long
     * @throws MessageRefused when a worker says what makes no sense; close the channel then, so
     *     that the others notice
     */
    public void serve() {
        workers.forEach(worker -> worker.awaitHeader(channel));
        while (gone < workers.size()) {
            int rank = channel.awaitAny();
            channel.awaitReceived(rank);
            Worker worker = ofRank[rank];
            if (worker != null) {
                hear(worker);
            }
        }
        workers.forEach(worker -> channel.awaitSent(worker.rank()));
    }

    /** How stale all gradients were that were applied so far; only between calls of serve. */
    public StalenessHistogram staleness() {
        return staleness.histogram();
    }

    /** How often a shard of this server has changed; only between calls of serve. */
    public long version(int shard) {
        return holding(shard).version();
    }

    private void hear(Worker worker) {
        Message push = worker.pushing();
        if (push == null) {
            answer(worker, worker.message());
        } else {
            worker.hasArrived(push);
            apply(worker, push);
        }
    }

    private void answer(Worker worker, Message message) {
        switch (message.kind()) {
            case PULL -> {
                sendValues(worker, holding(message.shard()));
                worker.awaitHeader(channel);
            }
            case PUSH -> begin(worker, requirePush(worker, message));
            case LEAVE -> {
                gone++;
                requireRoundCanEnd();
            }
            case VALUES, APPLIED ->
                    throw new MessageRefused(
                            "rank %d sent to a server %s".formatted(worker.rank(), message));
        }
    }

    private void begin(Worker worker, Message push) {
        worker.awaitGradient(channel, push, holding(push.shard()));
        if (mode instanceof Mode.Synchronous) {
            bringing++;
            requireRoundCanEnd();
        }
        apply(worker, push);
    }

    /** As much as can be applied of what has come. */
    private void apply(Worker worker, Message push) {
        Holding holding = holding(push.shard());
        switch (mode) {
            case Mode.Asynchronous _ -> {
                if (worker.arrived() == push.bytes()) {
                    applyAtOnce(worker, push, holding);
                }
            }
            case Mode.Synchronous(Mode.Aggregate aggregate) -> {
                if (bringing == workers.size()) {
                    sumUp(holding);
                    if (summed == push.bytes()) {
                        applyAll(holding, aggregate);
                    }
                }
            }
        }
    }

    private void applyAtOnce(Worker worker, Message push, Holding holding) {
        long updatesBetween = holding.version() - push.version();
        staleness.add(updatesBetween);
        holding.apply(update, worker.gradient(holding), updatesBetween);
        worker.answer(channel, Message.Kind.APPLIED, holding, 0);
        worker.awaitHeader(channel);
    }

    /** Sums those slices that all workers have brought, into the gradient of the first. */
    private void sumUp(Holding holding) {
        long whole = workers.getFirst().arrived();
        for (int i = 1; i < workers.size(); i++) {
            whole = Math.min(whole, workers.get(i).arrived());
        }
        MemorySegment total = workers.getFirst().gradient(holding);
        while (summed < whole) {
            long length = Slices.length(summed, total.byteSize());
            for (int i = 1; i < workers.size(); i++) {
                sum.add(total, summed, workers.get(i).gradient(holding), summed, length);
            }
            summed += length;
        }
    }

    private void applyAll(Holding holding, Mode.Aggregate aggregate) {
        MemorySegment total = workers.getFirst().gradient(holding);
        bringing = 0;
        summed = 0;
        if (aggregate == Mode.Aggregate.MEAN) {
            scale.scale(total, 1f / workers.size(), total);
        }
        holding.apply(update, total, 0);
        for (Worker worker : workers) {
            staleness.add(0);
            sendValues(worker, holding);
            worker.awaitHeader(channel);
        }
    }

    /**
     * In rounds the weights change only when every worker has brought its next gradient, for which
     * it needs these values first. On arrival nobody waits for whoever is still getting them.
     */
    private void sendValues(Worker worker, Holding holding) {
        worker.answer(channel, Message.Kind.VALUES, holding, holding.shard().bytes());
        switch (mode) {
            case Mode.Synchronous _ -> worker.send(channel, holding);
            case Mode.Asynchronous _ -> worker.sendCopy(channel, holding);
        }
    }

    private Message requirePush(Worker worker, Message push) {
        Holding holding = holding(push.shard());
        boolean inRounds = mode instanceof Mode.Synchronous;
        long oldest = inRounds ? holding.version() : 0;
        boolean fits =
                push.bytes() == holding.shard().bytes()
                        && push.version() >= oldest
                        && push.version() <= holding.version();
        if (!fits || (inRounds && isOutOfStep(push))) {
            throw new MessageRefused(
                    "rank %d sent %s for %s of version %d"
                            .formatted(worker.rank(), push, holding.shard(), holding.version()));
        }
        return push;
    }

    /** In rounds all bring their shards in the same order, or they would wait for each other. */
    private boolean isOutOfStep(Message push) {
        for (Worker worker : workers) {
            Message other = worker.pushing();
            if (other != null && other.shard() != push.shard()) {
                return true;
            }
        }
        return false;
    }

    private void requireRoundCanEnd() {
        if (gone > 0 && bringing > 0) {
            throw new MessageRefused("a worker has left before the round was over");
        }
    }

    private Holding holding(int shard) {
        Holding holding = shard < 0 || shard >= ofShard.length ? null : ofShard[shard];
        if (holding == null) {
            throw new MessageRefused(
                    "rank %d does not own shard %d".formatted(channel.rank(), shard));
        }
        return holding;
    }
}
