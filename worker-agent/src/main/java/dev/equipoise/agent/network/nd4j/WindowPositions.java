package dev.equipoise.agent.network.nd4j;

import dev.equipoise.agent.network.step.Binding;
import dev.equipoise.protocol.network.Shape.Image;
import dev.equipoise.protocol.network.Window;

/** Positions of a window over the images of a batch. */
record WindowPositions(Window window, int batch, Image input, Image output) {

    static WindowPositions of(Window window, Binding binding) {
        if (binding.input().shape() instanceof Image from
                && binding.output().shape() instanceof Image to) {
            return new WindowPositions(window, binding.input().batch(), from, to);
        }
        throw new IllegalArgumentException(
                "a window layer needs images, but was given " + binding.input().shape());
    }

    /** Returns the number of positions. */
    int count() {
        return batch * output.height() * output.width();
    }

    /** Returns the top row of the window at a position, which may lie above the image. */
    int top(int position) {
        return position / output.width() % output.height() * window.stride() - window.padding();
    }

    /** Returns the leftmost column of the window, which may lie outside the image. */
    int left(int position) {
        return position % output.width() * window.stride() - window.padding();
    }

    int sample(int position) {
        return position / (output.width() * output.height());
    }

    /** Returns the index of a pixel's first channel in the input. */
    int pixel(int sample, int row, int column) {
        return ((sample * input.height() + row) * input.width() + column) * input.channels();
    }

    /** Visits all pixels of the image that the window covers at a position. */
    void forEachPixel(int position, PixelVisitor visitor) {
        int bottom = Math.min(top(position) + window.size(), input.height());
        int right = Math.min(left(position) + window.size(), input.width());
        for (int row = Math.max(top(position), 0); row < bottom; row++) {
            for (int column = Math.max(left(position), 0); column < right; column++) {
                visitor.visit(
                        pixel(sample(position), row, column),
                        ((row - top(position)) * window.size() + column - left(position))
                                * input.channels());
            }
        }
    }

    /** Returns the number of pixels that {@link #forEachPixel} visits. */
    int covered(int position) {
        int rows =
                Math.min(top(position) + window.size(), input.height())
                        - Math.max(top(position), 0);
        int columns =
                Math.min(left(position) + window.size(), input.width())
                        - Math.max(left(position), 0);
        return rows * columns;
    }

    @FunctionalInterface
    interface PixelVisitor {

        /**
         * Visits one pixel.
         *
         * @param pixel index of its first channel in the images
         * @param tap index of its first channel within the window
         */
        void visit(int pixel, int tap);
    }
}
