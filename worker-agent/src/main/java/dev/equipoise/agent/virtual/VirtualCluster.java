package dev.equipoise.agent.virtual;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.ChannelFailed.Reason;
import dev.equipoise.agent.time.Background;
import dev.equipoise.agent.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * All ranks of a run in this process, each with a clock of its own that only exchanging, sleeping
 * and {@link #compute} move. A rank's body and its background tasks run in virtual threads, of
 * which one has the turn at any moment; whoever depends on what others have done by then waits
 * until their clocks have come as far. A run is therefore the same to the last bit on any machine,
 * as long as ranks share nothing but their channels.
 *
 * <p>A body must not wait for another one by any other means, which would hold all up, nor turn in
 * a loop until {@link Background#isDone} without moving its clock.
 *
 * <p>One thread makes the cluster, runs it and closes it. What it hands out is called by a rank's
 * body and its background, but a channel may be closed by any thread.
 */
public final class VirtualCluster implements AutoCloseable {

    private final Scheduler scheduler =
            new Scheduler(VirtualCluster::arrive, this::failForDeadlock);
    private final List<VirtualChannel> channels = new ArrayList<>();
    private final List<VirtualTurns> turns = new ArrayList<>();
    private final long[] clocks;
    private final ComputePool pool;
    private final Buffers buffers = new Buffers();
    private @Nullable Throwable failure;

    /**
     * @param ranks at least 1
     * @param threads that compute at the same time, at least 1
     */
    public VirtualCluster(int ranks, LinkModel links, int threads) {
        if (ranks < 1) {
            throw new IllegalArgumentException("there must be a rank, but were " + ranks);
        }
        this.pool = new ComputePool(threads);
        this.clocks = new long[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            channels.add(new VirtualChannel(rank, ranks, channels, links, scheduler, buffers));
        }
    }

    public int size() {
        return channels.size();
    }

    /** Joins a rank to the others. Frames that were sent before a rank closed still come. */
    public Channel channel(int rank) {
        return channels.get(rank);
    }

    /** The channels of all ranks, in their order. */
    public List<Channel> channels() {
        return List.copyOf(channels);
    }

    /**
     * The clocks of a rank, from 0 at the beginning of the first run: that of its body or
     * background task, whichever asks, and between runs that at which its body has ended. Computing
     * costs a thread what it is charged.
     */
    public Time time(int rank) {
        return new VirtualTime(scheduler, () -> clock(rank));
    }

    private long clock(int rank) {
        if (scheduler.isRunning()) {
            throw new IllegalStateException(
                    "only the body and the background of rank %d know its time".formatted(rank));
        }
        return clocks[rank];
    }

    /** A second thread of a rank, for its body. */
    public Background background(int rank) {
        return new VirtualBackground(scheduler, rank, this::open);
    }

    /** Those of a run that has failed meanwhile are closed at once. */
    private void open(VirtualTurns made) {
        turns.add(made);
        if (failure != null) {
            made.close(scheduler.now(), "the run has failed: " + failure);
        }
    }

    /**
     * Charges the calling body or background task a time, and does its work on a thread of the pool
     * while others go on. The work must touch only memory of the rank's own, in which no frame is
     * under way, and must not depend on the number of its thread but for scratch memory.
     *
     * @param nanos of virtual time, at least 0
     * @param work is given the number of its thread, from 0
     * @return what the work has returned
     * @throws RuntimeException what the work has thrown
     */
    public <T extends @Nullable Object> T compute(long nanos, IntFunction<T> work) {
        Actor actor = scheduler.caller();
        if (actor == null) {
            throw new IllegalStateException("only a rank's body or background computes");
        }
        if (nanos < 0) {
            throw new IllegalArgumentException("time must not go back, but by " + nanos + " ns");
        }
        ComputePool.Job<T> job = pool.begin(work);
        actor.at += nanos;
        scheduler.catchUp(actor);
        return job.await().get();
    }

    /**
     * Runs a body for each rank, in their order, and returns when all bodies and all background
     * tasks have ended. May be called again, and goes on at the clocks at which bodies have ended.
     *
     * <p>When a body throws, all channels are closed, so that the others end as well.
     *
     * @return what the bodies have returned
     * @throws RuntimeException what the body has thrown that was first to fail in virtual time; in
     *     a {@link java.util.concurrent.CompletionException} where that was checked
     * @throws ChannelFailed when nobody can go on, which says who waits for what, or when the
     *     calling thread is interrupted, which interrupts the bodies, too, and is left standing
     */
    public <T extends @Nullable Object> List<T> run(List<? extends Callable<T>> bodies) {
        if (bodies.size() != size()) {
            throw new IllegalArgumentException(
                    "there must be a body for each of %d ranks, but were %d"
                            .formatted(size(), bodies.size()));
        }
        if (scheduler.isRunning()) {
            throw new IllegalStateException("the cluster runs already");
        }
        List<Body<T>> begun = new ArrayList<>();
        for (int rank = 0; rank < size(); rank++) {
            var body = new Body<T>(bodies.get(rank));
            begun.add(body);
            scheduler.begin(new Actor(rank, Actor.MAIN, clocks[rank], body::play));
        }
        awaitEnd();
        if (failure != null) {
            throw new Outcome.Failure<>(failure).unchecked();
        }
        return begun.stream().map(Body::value).toList();
    }

    private void awaitEnd() {
        try {
            scheduler.run();
        } catch (InterruptedException _) {
            scheduler.outside(() ->
                    fail(
                            new ChannelFailed(Reason.CLOSED, "the run was interrupted"),
                            scheduler.now()));
            scheduler.interruptAll();
            scheduler.awaitEnd();
            Thread.currentThread().interrupt();
        }
    }

    private void failForDeadlock(String waits) {
        fail(new ChannelFailed(Reason.TIMED_OUT, "nobody can go on: " + waits), scheduler.now());
    }

    /** The first failure is that of the run; those that follow come of it. */
    private void fail(Throwable cause, long at) {
        if (failure == null) {
            failure = cause;
            channels.forEach(channel -> channel.close(at, "the run has failed: " + cause));
            turns.forEach(each -> each.close(at, "the run has failed: " + cause));
        }
    }

    private static void arrive(Frame frame) {
        frame.flow.receiver().inbox().arrive(frame);
    }

    /** Closes the channels, ends the threads that compute, and gives back what frames were in. */
    @Override
    public void close() {
        channels.forEach(VirtualChannel::close);
        pool.close();
        buffers.close();
    }

    /** What a rank does in a run, and what becomes of it. */
    private final class Body<T extends @Nullable Object> {

        private final Callable<T> work;
        private @Nullable Outcome<T> outcome;

        private Body(Callable<T> work) {
            this.work = work;
        }

        private void play(Actor self) {
            outcome = Outcome.of(work);
            if (outcome instanceof Outcome.Failure<T>(Throwable cause)) {
                scheduler.catchUp(self);
                fail(cause, self.at);
            }
            clocks[self.rank] = self.at;
            scheduler.end(self);
        }

        private T value() {
            return Objects.requireNonNull(outcome).get();
        }
    }
}
