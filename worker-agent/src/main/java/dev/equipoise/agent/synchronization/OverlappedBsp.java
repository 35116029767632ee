package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.checkpoint.RankStateRegistry;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.instrument.TrafficKind;
import dev.equipoise.agent.optimizer.Stepper;
import dev.equipoise.agent.time.BackgroundThread;
import dev.equipoise.agent.time.Time;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/*
 * Li and others 2020 (PyTorch DDP), section 3.2.3. The background thread exchanges the buckets in
 * their order while the rank's own thread computes, and this thread does not use the channel before
 * all buckets are exchanged. All ranks exchange the same buckets in the same order, so that they
 * need no agreement, and the sums are those of BucketAggregator to the bit.
 */
/** BSP that exchanges each bucket of the gradient during the backward pass. */
final class OverlappedBsp implements Synchronizer {

    private final BucketSums sums;
    private final BackgroundThread background;
    private final Stepper stepper;
    private final AggregationWeights aggregationWeights;
    private final List<Integer> partners;
    private final Time time;
    private final Instruments instruments;
    private final List<Runnable> tasks;
    private final long[] begun;
    private final long[] done;
    private MemorySegment current = MemorySegment.NULL;
    private boolean isEmpty;
    private double factor;
    private int started;
    private long round;

    /**
     * @param partners ranks whose gradients the sums need; empty for all ranks
     * @param time read by the background thread
     */
    OverlappedBsp(
            BucketSums sums,
            BackgroundThread background,
            Stepper stepper,
            AggregationWeights aggregationWeights,
            List<Integer> partners,
            Time time,
            RankStateRegistry registry,
            Instruments instruments) {
        this.sums = sums;
        this.background = background;
        this.stepper = stepper;
        this.aggregationWeights = aggregationWeights;
        this.partners = List.copyOf(partners);
        this.time = time;
        this.instruments = instruments;
        this.tasks = IntStream.range(0, sums.count()).mapToObj(this::task).toList();
        this.begun = new long[sums.count()];
        this.done = new long[sums.count()];
        registry.number(() -> round, it -> round = it);
    }

    private Runnable task(int bucket) {
        return () -> {
            begun[bucket] = time.nanoTime();
            sums.scale(bucket, current, factor);
            sums.exchange(bucket);
            done[bucket] = time.nanoTime();
        };
    }

    @Override
    public void begin() {
        isEmpty = aggregationWeights.areEmpty(round, round + 1);
        factor = isEmpty ? 0 : aggregationWeights.ofGradient(round);
        started = 0;
    }

    @Override
    public void completed(MemorySegment gradient, long offset) {
        current = gradient;
        while (!isEmpty && started < sums.count() && sums.offset(started) >= offset) {
            background.queue(tasks.get(started));
            started++;
        }
    }

    @Override
    public void update(MemorySegment gradient, int samples) {
        if (isEmpty) {
            round++;
            return; // No rank has a gradient, and all ranks know it.
        }
        completed(gradient, 0);
        for (int bucket = 0; bucket < started; bucket++) {
            background.await();
        }
        instruments.endOverlapped(TrafficKind.GRADIENT, partners, begun, done);
        instruments.stepped(stepper.stepAt(round++, sums.sum(), 1));
        instruments.end(Phase.APPLY);
    }

    @Override
    public boolean agrees() {
        return true;
    }

    /** Gradients are summed in a copy, and no replica steps before all sums are complete. */
    @Override
    public boolean isRoundWhole() {
        return true;
    }

    @Override
    public boolean keepsReplicasEqual() {
        return true;
    }

    /** Only the last buckets block a rank, all at once. */
    @Override
    public int exchangesPerRound() {
        return 1;
    }
}
