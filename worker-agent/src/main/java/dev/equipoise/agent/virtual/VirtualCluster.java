package dev.equipoise.agent.virtual;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.ChannelFailed.Reason;
import dev.equipoise.agent.time.BackgroundThread;
import dev.equipoise.agent.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Runs all ranks of a run in this process, each with its own clock, which only exchanges, sleeps
 * and {@link #compute} advance. A rank's body and its background tasks run in virtual threads, of
 * which one is in control at a time; a thread whose next action depends on others waits until their
 * clocks have caught up. A run is therefore equal to the last bit on every host, as long as ranks
 * share nothing but their channels.
 *
 * <p>A body must not wait for another one by any other means, which would block all ranks, nor poll
 * {@link BackgroundThread#isDone} in a loop without advancing its clock.
 *
 * <p>One thread creates the cluster, runs it and closes it. The objects that it returns are used by
 * a rank's body and background, but any thread may close a channel.
 */
public final class VirtualCluster implements AutoCloseable {

    private final ActorScheduler scheduler =
            new ActorScheduler(VirtualCluster::arrive, this::failForDeadlock);
    private final List<VirtualChannel> channels = new ArrayList<>();
    private final List<VirtualLock> locks = new ArrayList<>();
    private final long[] clocks;
    private final ComputePool pool;
    private final Buffers buffers = new Buffers();
    private @Nullable Throwable failure;

    /**
     * @param ranks at least 1
     * @param threads number of threads that compute at the same time, at least 1
     */
    public VirtualCluster(int ranks, LinkModel links, int threads) {
        if (ranks < 1) {
            throw new IllegalArgumentException(
                    "the number of ranks must be at least 1, but was " + ranks);
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

    /** The channel of a rank. Frames that were sent before a rank closed still arrive. */
    public Channel channel(int rank) {
        return channels.get(rank);
    }

    /** The channels of all ranks, in order. */
    public List<Channel> channels() {
        return List.copyOf(channels);
    }

    /**
     * The clock of a rank, which begins at 0 in the first run: the clock of the calling body or
     * background task, and between runs the time at which the body has ended. Computation advances
     * it only by its charged time.
     */
    public Time time(int rank) {
        return new VirtualTime(scheduler, () -> clock(rank));
    }

    private long clock(int rank) {
        if (scheduler.isRunning()) {
            throw new IllegalStateException(
                    "only the body and the background of rank %d may read its clock during a run"
                            .formatted(rank));
        }
        return clocks[rank];
    }

    /** The background thread of a rank, for its body. */
    public BackgroundThread background(int rank) {
        return new VirtualBackground(scheduler, rank, this::open);
    }

    /** Registers a lock; closes it at once if the run has failed. */
    private void open(VirtualLock lock) {
        locks.add(lock);
        if (failure != null) {
            lock.close(scheduler.now(), "the run has failed: " + failure);
        }
    }

    /**
     * Charges virtual time to the calling body or background task, and runs its work on a pool
     * thread while others continue. The work may touch only memory of its rank, in which no frame
     * is under way, and must not depend on the number of its thread except for scratch memory.
     *
     * @param nanos virtual time in nanoseconds, at least 0
     * @param work receives the number of its thread, from 0
     * @return the result of the work
     * @throws RuntimeException the failure of the work
     */
    public <T extends @Nullable Object> T compute(long nanos, IntFunction<T> work) {
        Actor actor = scheduler.caller();
        if (actor == null) {
            throw new IllegalStateException(
                    "compute must be called by the body or background of a rank");
        }
        if (nanos < 0) {
            throw new IllegalArgumentException(
                    "the charged time must be at least 0 ns, but was " + nanos);
        }
        ComputePool.Job<T> job = pool.begin(work);
        actor.at += nanos;
        scheduler.catchUp(actor);
        return job.await().get();
    }

    /**
     * Runs a body for each rank, and returns when all bodies and background tasks have ended. May
     * be called again, and continues at the clocks at which the bodies have ended.
     *
     * <p>If a body throws, all channels are closed, so that the others end as well.
     *
     * @param bodies in the order of the ranks
     * @return the results of the bodies
     * @throws RuntimeException the failure of the body that failed first in virtual time; checked
     *     exceptions are wrapped in a {@link java.util.concurrent.CompletionException}
     * @throws ChannelFailed when all actors are blocked (the message says what each waits for), or
     *     when the calling thread is interrupted, which interrupts the bodies too and keeps the
     *     interrupt status
     */
    public <T extends @Nullable Object> List<T> run(List<? extends Callable<T>> bodies) {
        if (bodies.size() != size()) {
            throw new IllegalArgumentException(
                    "a run of %d ranks needs as many bodies, but got %d"
                            .formatted(size(), bodies.size()));
        }
        if (scheduler.isRunning()) {
            throw new IllegalStateException("the cluster runs already");
        }
        List<Body<T>> started = new ArrayList<>();
        for (int rank = 0; rank < size(); rank++) {
            var body = new Body<T>(bodies.get(rank));
            started.add(body);
            scheduler.begin(new Actor(rank, Actor.MAIN, clocks[rank], body::execute));
        }
        awaitEnd();
        if (failure != null) {
            throw new TaskResult.Failure<>(failure).unchecked();
        }
        return started.stream().map(Body::value).toList();
    }

    private void awaitEnd() {
        try {
            scheduler.run();
        } catch (InterruptedException _) {
            scheduler.runExternally(() ->
                    fail(
                            new ChannelFailed(Reason.CLOSED, "the run was interrupted"),
                            scheduler.now()));
            scheduler.interruptAll();
            scheduler.awaitEnd();
            Thread.currentThread().interrupt();
        }
    }

    private void failForDeadlock(String description) {
        fail(new ChannelFailed(Reason.TIMED_OUT, "deadlock: " + description), scheduler.now());
    }

    /** Records the failure of the run; later failures are consequences of the first. */
    private void fail(Throwable cause, long at) {
        if (failure == null) {
            failure = cause;
            channels.forEach(channel -> channel.close(at, "the run has failed: " + cause));
            locks.forEach(each -> each.close(at, "the run has failed: " + cause));
        }
    }

    private static void arrive(Frame frame) {
        frame.flow.receiver().inbox().arrive(frame);
    }

    /** Closes the channels, stops the compute threads, and frees the frame buffers. */
    @Override
    public void close() {
        channels.forEach(VirtualChannel::close);
        pool.close();
        buffers.close();
    }

    /** The body of a rank in a run, and its result. */
    private final class Body<T extends @Nullable Object> {

        private final Callable<T> work;
        private @Nullable TaskResult<T> result;

        private Body(Callable<T> work) {
            this.work = work;
        }

        private void execute(Actor self) {
            result = TaskResult.of(work);
            if (result instanceof TaskResult.Failure<T>(Throwable cause)) {
                scheduler.catchUp(self);
                fail(cause, self.at);
            }
            clocks[self.rank] = self.at;
            scheduler.end(self);
        }

        private T value() {
            return Objects.requireNonNull(result).get();
        }
    }
}
