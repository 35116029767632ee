package dev.equipoise.agent.network;

/** What one sample looks like between two layers; a vector is one pixel of many channels. */
public record Shape(int height, int width, int channels) {

    public Shape {
        if (height < 1 || width < 1 || channels < 1) {
            throw new IllegalArgumentException(
                    "sides of a shape must be positive, but were %dx%dx%d"
                            .formatted(height, width, channels));
        }
    }

    /** Until the networks take the shapes of the protocol. */
    public dev.equipoise.protocol.network.Shape ofProtocol() {
        return new dev.equipoise.protocol.network.Shape.Image(height, width, channels);
    }

    public static Shape vector(int length) {
        return new Shape(1, 1, length);
    }

    public int size() {
        return Math.multiplyExact(Math.multiplyExact(height, width), channels);
    }

    /** Where a pixel's channels begin in a batch of images of this shape. */
    long offset(int sample, int y, int x) {
        return (((long) sample * height + y) * width + x) * channels;
    }

    boolean isVector() {
        return height == 1 && width == 1;
    }

    @Override
    public String toString() {
        return height + "x" + width + "x" + channels;
    }
}
