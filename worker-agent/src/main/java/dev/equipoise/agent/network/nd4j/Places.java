package dev.equipoise.agent.network.nd4j;

import dev.equipoise.agent.network.step.Binding;
import dev.equipoise.protocol.network.Shape.Image;
import dev.equipoise.protocol.network.Window;

/** Where a window stands over the images of a batch. */
record Places(Window window, int batch, Image input, Image output) {

    static Places of(Window window, Binding binding) {
        if (binding.input().shape() instanceof Image from
                && binding.output().shape() instanceof Image to) {
            return new Places(window, binding.input().batch(), from, to);
        }
        throw new IllegalArgumentException(
                "a window slides over images, but is given " + binding.input().shape());
    }

    /** How many there are. */
    int count() {
        return batch * output.height() * output.width();
    }

    /** The topmost row that the window covers there, which may lie above the image. */
    int top(int place) {
        return place / output.width() % output.height() * window.stride() - window.padding();
    }

    /** The leftmost column, which may lie outside as well. */
    int left(int place) {
        return place % output.width() * window.stride() - window.padding();
    }

    int sample(int place) {
        return place / (output.width() * output.height());
    }

    /** Where the channels of a pixel of the input begin. */
    int pixel(int sample, int row, int column) {
        return ((sample * input.height() + row) * input.width() + column) * input.channels();
    }

    /** Calls the visitor with every pixel within the image that the window covers at a place. */
    void forEachPixel(int place, PixelVisitor visitor) {
        int bottom = Math.min(top(place) + window.size(), input.height());
        int right = Math.min(left(place) + window.size(), input.width());
        for (int row = Math.max(top(place), 0); row < bottom; row++) {
            for (int column = Math.max(left(place), 0); column < right; column++) {
                visitor.visit(
                        pixel(sample(place), row, column),
                        ((row - top(place)) * window.size() + column - left(place))
                                * input.channels());
            }
        }
    }

    /** Pixels that {@link #forEachPixel} visits. */
    int covered(int place) {
        int rows = Math.min(top(place) + window.size(), input.height()) - Math.max(top(place), 0);
        int columns =
                Math.min(left(place) + window.size(), input.width()) - Math.max(left(place), 0);
        return rows * columns;
    }

    @FunctionalInterface
    interface PixelVisitor {

        /**
         * Sees one pixel.
         *
         * @param pixel where its channels begin in the images
         * @param tap where they begin within the window
         */
        void visit(int pixel, int tap);
    }
}
