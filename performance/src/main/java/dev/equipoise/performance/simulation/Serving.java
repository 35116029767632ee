package dev.equipoise.performance.simulation;

import java.util.List;

/**
 * How servers gather from replicas and broadcast to them.
 *
 * @param layers bytes of each layer, in the order in which the layers travel; a layer begins when
 *     all ranks have the one before. Empty if the vector travels as a whole.
 */
public record Serving(Way way, List<Long> layers) {

    /** All replicas push the whole vector as soon as they have it. */
    public static final Serving AT_ONCE = new Serving(Way.DIRECT, List.of());

    public Serving {
        layers = List.copyOf(layers);
        if (layers.stream().anyMatch(bytes -> bytes <= 0)) {
            throw new IllegalArgumentException(
                    "layers of %s bytes are out of range: at least 1 byte each".formatted(layers));
        }
    }

    /** Transfers the vector as a whole. */
    public static Serving by(Way way) {
        return new Serving(way, List.of());
    }

    /** Order of the frames within one gather or broadcast. */
    public enum Way {
        /** All replicas send to the server at once, whose port receives one frame at a time. */
        DIRECT,

        /** The server exchanges with one replica at a time, and waits for each. */
        IN_TURN,

        /**
         * Frames go up a binomial tree, each rank of which adds those of its children, and down
         * again.
         */
        TREE
    }

    boolean isLayered() {
        return !layers.isEmpty();
    }
}
