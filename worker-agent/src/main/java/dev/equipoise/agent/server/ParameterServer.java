package dev.equipoise.agent.server;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.checkpoint.Remembered;
import dev.equipoise.agent.instrument.StalenessHistogram;
import dev.equipoise.agent.order.Decisions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * One thread answers whoever speaks. A header says what a worker wants; behind that of a push comes
 * the gradient, slice by slice. What becomes of it, and when, is the discipline's to say.
 */
/** A rank that keeps weights for others and does not train. */
public final class ParameterServer {

    private final Channel channel;
    private final Decisions decisions;
    private final Sharding sharding;
    private final Discipline discipline;
    private final Ledger ledger;
    private final List<Worker> workers;
    private final @Nullable Worker[] ofRank;
    private final @Nullable Holding[] ofShard;

    /**
     * Takes this rank's shards of the vector over, and sets as much memory aside for each worker.
     *
     * @param update of weights; where servers only aggregate, it is not called
     * @param initial the whole vector of float32; read once
     * @param memory must outlive it
     */
    public ParameterServer(
            Channel channel, Terms terms, Update update, MemorySegment initial, Arena memory) {
        this(channel, terms, update, initial, Decisions.FREE, memory);
    }

    /**
     * As the other one.
     *
     * @param decisions whom it hears next
     */
    public ParameterServer(
            Channel channel,
            Terms terms,
            Update update,
            MemorySegment initial,
            Decisions decisions,
            Arena memory) {
        this.channel = channel;
        this.decisions = decisions;
        this.sharding = terms.sharding();
        sharding.requireLength(initial);
        List<Shard> own = sharding.of(channel.rank());
        this.ofShard = new Holding[sharding.shards().size()];
        Worker.Room room = hold(own, terms, initial, memory);
        this.workers = workers(terms, room, memory);
        this.ofRank = new Worker[channel.size()];
        workers.forEach(worker -> ofRank[worker.rank()] = worker);
        boolean keepsWeights = !(terms.mode() instanceof Mode.Aggregating);
        this.ledger = new Ledger(keepsWeights ? update : Aggregates.REPLACEMENT);
        this.discipline = discipline(terms, own, memory);
    }

    private Worker.Room hold(List<Shard> own, Terms terms, MemorySegment initial, Arena memory) {
        long place = 0;
        long frame = 0;
        for (Shard shard : own) {
            var holding = new Holding(shard, place, terms.codec(shard), initial, memory);
            ofShard[shard.index()] = holding;
            place += shard.bytes();
            frame = Math.max(frame, holding.largestFrame());
        }
        return new Worker.Room(place, frame, ofShard.length);
    }

    private List<Worker> workers(Terms terms, Worker.Room room, Arena memory) {
        long seed = terms.coding().map(Coding::seed).orElse(0L);
        List<Worker> all = new ArrayList<>();
        for (int rank : terms.roles().workers()) {
            all.add(new Worker(channel, rank, all.size(), seed, room, memory));
        }
        return List.copyOf(all);
    }

    private Discipline discipline(Terms terms, List<Shard> own, Arena memory) {
        int shards = ofShard.length;
        return switch (terms.mode()) {
            case Mode.Synchronous(Mode.Aggregate aggregate) ->
                    new Rounds(workers, aggregate, ledger, new Answers.Values());
            case Mode.Aggregating(Mode.Aggregate aggregate) ->
                    new Rounds(
                            workers,
                            aggregate,
                            ledger,
                            new Aggregates(terms.answerCodec(), own, memory));
            case Mode.Asynchronous() -> new OnArrival(ledger, new Gate.Open());
            case Mode.StaleSynchronous(int bound) ->
                    new OnArrival(ledger, new BoundedGate(workers, bound, shards));
            case Mode.Barrier(int bound) ->
                    new OnArrival(ledger, new BarrierGate(workers, bound, shards));
        };
    }

    /** Enters the weights of its shards, with which others may go on between calls of serve. */
    public void remembered(Remembered remembered) {
        for (Shard shard : sharding.of(channel.rank())) {
            remembered.vector(holding(shard.index()).weights());
        }
    }

    /**
     * Answers until every worker has paused; then nothing is under way, and the channel is free for
     * other exchanges. Called again, it goes on with the weights and figures that it has, but all
     * clocks start anew.
     *
     * @throws dev.equipoise.agent.channel.ChannelFailed when a worker is lost and that is not
     *     borne, or none speaks for too long
     * @throws MessageRefused when a worker says what makes no sense; close the channel then, so
     *     that the others notice
     */
    public void serve() {
        serve(() -> {}, () -> {});
    }

    /**
     * As {@link #serve()}.
     *
     * @param heard is told whenever a worker speaks
     * @param answered is told when that was dealt with
     */
    public void serve(Runnable heard, Runnable answered) {
        discipline.resume();
        workers.forEach(Worker::awaitHeader);
        int speaking = workers.size();
        while (speaking > 0) {
            int rank = decisions.choose(channel::awaitAny);
            boolean hasSpoken = channel.awaitReceivedOrLost(rank);
            heard.run();
            Worker worker = ofRank[rank];
            if (worker != null) {
                if (hasSpoken) {
                    hear(worker);
                } else {
                    leave(worker);
                }
                speaking -= worker.isPaused() ? 1 : 0;
            }
            answered.run();
        }
        workers.forEach(worker -> channel.awaitSent(worker.rank()));
    }

    /** A worker is lost: what it has brought by halves is dropped, and nobody waits for it. */
    private void leave(Worker worker) {
        worker.leave();
        discipline.pause();
    }

    /** How stale all gradients were that were applied so far; only between calls of serve. */
    public StalenessHistogram staleness() {
        return ledger.staleness();
    }

    /** How many gradients the update has dropped so far; only between calls of serve. */
    public long dropped() {
        return ledger.dropped();
    }

    /** How often a shard of this server has changed; only between calls of serve. */
    public long version(int shard) {
        return holding(shard).version();
    }

    /**
     * Overwrites that part of the weights that this server has; where servers only aggregate, by
     * the last aggregate. Only between calls of serve.
     *
     * @param weights the whole vector of float32
     */
    public void copyWeights(MemorySegment weights) {
        sharding.requireLength(weights);
        for (Shard shard : sharding.of(channel.rank())) {
            MemorySegment.copy(
                    holding(shard.index()).weights(), 0, weights, shard.offset(), shard.bytes());
        }
    }

    private void hear(Worker worker) {
        Message push = worker.pushing();
        if (push == null) {
            answer(worker, worker.message());
        } else {
            Holding holding = holding(push.shard());
            worker.hasReceived(push, holding);
            discipline.advance(worker, push, holding);
        }
    }

    private void answer(Worker worker, Message message) {
        switch (message.kind()) {
            case PULL -> discipline.pull(worker, message, holding(message.shard()));
            case PUSH -> begin(worker, message, holding(message.shard()));
            case PAUSE -> {
                worker.pause();
                discipline.pause();
            }
            case VALUES, APPLIED ->
                    throw new MessageRefused(
                            "rank %d sent to a server %s".formatted(worker.rank(), message));
        }
    }

    private void begin(Worker worker, Message push, Holding holding) {
        if (!holding.takes(push) || !discipline.accepts(push, holding)) {
            throw new MessageRefused(
                    "rank %d sent %s for %s of version %d"
                            .formatted(worker.rank(), push, holding.shard(), holding.version()));
        }
        worker.awaitGradient(push, holding);
        discipline.advance(worker, push, holding);
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
