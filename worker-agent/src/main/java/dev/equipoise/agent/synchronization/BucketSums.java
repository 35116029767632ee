package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.performance.cost.GradientBucket;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Weighted sums of gradients over all ranks, bucket by bucket. One thread at a time uses it, and
 * all ranks exchange the buckets in the same order.
 */
final class BucketSums {

    private final List<GradientBucket> buckets;
    private final MemorySegment scaled;
    private final MemorySegment sum;
    private final List<Runnable> exchanges;
    private final FloatScale scale = FloatScale.fastest();

    /**
     * @param buckets in the order of their exchange
     * @param scaled memory as long as the gradient, for this rank's part of the sum
     * @param sum memory as long as the gradient, for the result; may be {@code scaled}
     * @param exchanges by bucket: each sums the bucket of {@code scaled} of all ranks into {@code
     *     sum}
     */
    BucketSums(
            List<GradientBucket> buckets,
            MemorySegment scaled,
            MemorySegment sum,
            List<Runnable> exchanges) {
        this.buckets = List.copyOf(buckets);
        this.scaled = scaled;
        this.sum = sum;
        this.exchanges = List.copyOf(exchanges);
    }

    int count() {
        return buckets.size();
    }

    /** Returns the first byte of a bucket in the gradient. */
    long offset(int bucket) {
        return buckets.get(bucket).offset();
    }

    /** Scales this rank's gradient of a bucket for the sum. */
    void scale(int bucket, MemorySegment gradient, double factor) {
        GradientBucket range = buckets.get(bucket);
        PlainSum.scaled(
                scale,
                gradient.asSlice(range.offset(), range.bytes()),
                factor,
                scaled.asSlice(range.offset(), range.bytes()));
    }

    /** Sums a scaled bucket over all ranks. */
    void exchange(int bucket) {
        exchanges.get(bucket).run();
    }

    /** Returns the sum, once all buckets of a round are exchanged. */
    MemorySegment sum() {
        return sum;
    }
}
