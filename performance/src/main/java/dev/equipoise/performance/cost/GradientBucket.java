package dev.equipoise.performance.cost;

import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.network.Architecture;
import java.util.ArrayList;
import java.util.List;

/**
 * Part of the flat gradient that is exchanged alone: whole layers in a row (Li et al. 2020, PyTorch
 * DDP, section 3.2).
 *
 * @param offset first byte in the gradient
 * @param bytes length
 * @param ready fraction of the computing time of a round after which its exchange may begin, from 0
 *     to 1; 1 without overlap
 */
public record GradientBucket(long offset, long bytes, double ready) {

    private static final double BYTES_PER_MEGABYTE = 1e6;

    public GradientBucket {
        if (offset < 0 || bytes <= 0 || !(ready >= 0 && ready <= 1)) {
            throw new IllegalArgumentException(
                    ("a bucket of %d bytes at byte %d that is ready after %s of the round is out of"
                                    + " range: at least 1 byte, and a fraction from 0 to 1")
                            .formatted(bytes, offset, ready));
        }
    }

    /**
     * Divides the gradient of a network into the buckets of a method, in the order of their
     * exchange, from the last layer to the first. A bucket is complete with the layer that makes it
     * at least as large as wanted.
     *
     * @return empty if the gradient travels as a whole
     */
    public static List<GradientBucket> of(Synchronization.Bsp method, Architecture architecture) {
        Double size = method.bucketMegabytes();
        Double firstSize = method.firstBucketMegabytes();
        return size == null || firstSize == null
                ? List.of()
                : divide(
                        architecture,
                        firstSize * BYTES_PER_MEGABYTE,
                        size * BYTES_PER_MEGABYTE,
                        method.isOverlapped());
    }

    private static List<GradientBucket> divide(
            Architecture architecture, double firstSize, double size, boolean isOverlapped) {
        List<GradientBucket> buckets = new ArrayList<>();
        long end = (long) Float.BYTES * architecture.parameterCount();
        for (GradientReadiness layer : GradientReadiness.of(architecture)) {
            long bytes = end - layer.offset();
            if (layer.offset() == 0 || bytes >= (buckets.isEmpty() ? firstSize : size)) {
                double ready = isOverlapped ? layer.fraction() : 1;
                buckets.add(new GradientBucket(layer.offset(), bytes, ready));
                end = layer.offset();
            }
        }
        return List.copyOf(buckets);
    }
}
