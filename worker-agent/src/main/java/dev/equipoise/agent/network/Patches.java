package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A matrix with one row for each place of a convolution's output, which holds what the filter
 * covers there: height, width, channels.
 */
final class Patches {
    private final Shape in;
    private final Shape out;
    private final int batch;
    private final int kernel;

    /** Floats of one line of a patch, which lie side by side in the image as well. */
    private final int line;

    private final Tensor matrix;

    Patches(Arena arena, Stage stage, int kernel, int batch) {
        this.in = stage.input();
        this.out = stage.output();
        this.batch = batch;
        this.kernel = kernel;
        this.line = kernel * in.channels();
        this.matrix = Tensor.zeros(arena, (long) batch * out.height() * out.width(), stage.fanIn());
    }

    long count() {
        return matrix.array().size(0);
    }

    Tensor matrix() {
        return matrix;
    }

    void gather(MemorySegment images) {
        forEachLine((image, patch) ->
                MemorySegment.copy(
                        images,
                        JAVA_FLOAT,
                        JAVA_FLOAT.scale(0, image),
                        matrix.memory(),
                        JAVA_FLOAT,
                        JAVA_FLOAT.scale(0, patch),
                        line));
    }

    /** Overwrites the images with the sum, at each pixel, of all that the patches hold of it. */
    void scatter(MemorySegment images) {
        images.fill((byte) 0);
        forEachLine((image, patch) -> add(images, image, patch));
    }

    private void add(MemorySegment images, long image, long patch) {
        MemorySegment patches = matrix.memory();
        for (int i = 0; i < line; i++) {
            float sum =
                    images.getAtIndex(JAVA_FLOAT, image + i)
                            + patches.getAtIndex(JAVA_FLOAT, patch + i);
            images.setAtIndex(JAVA_FLOAT, image + i, sum);
        }
    }

    private void forEachLine(LineVisitor visitor) {
        long patch = 0;
        for (int sample = 0; sample < batch; sample++) {
            for (int y = 0; y < out.height(); y++) {
                for (int x = 0; x < out.width(); x++) {
                    for (int k = 0; k < kernel; k++) {
                        visitor.visit(in.offset(sample, y + k, x), patch);
                        patch += line;
                    }
                }
            }
        }
    }

    @FunctionalInterface
    private interface LineVisitor {
        void visit(long imageOffset, long patchOffset);
    }
}
