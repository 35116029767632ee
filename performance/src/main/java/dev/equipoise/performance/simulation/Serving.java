package dev.equipoise.performance.simulation;

import java.util.List;

/**
 * How servers take what replicas bring, and tell them what has come of it.
 *
 * @param layers bytes of each layer, in the order in which they travel one by one: none of the next
 *     before all have the one before; empty where the vector travels as a whole
 */
public record Serving(Way way, List<Long> layers) {

    /** All bring the whole vector when they have it. */
    public static final Serving AT_ONCE = new Serving(Way.DIRECT, List.of());

    public Serving {
        layers = List.copyOf(layers);
        if (layers.stream().anyMatch(bytes -> bytes <= 0)) {
            throw new IllegalArgumentException(
                    "layers must have bytes, but these have %s".formatted(layers));
        }
    }

    /** As a whole. */
    public static Serving by(Way way) {
        return new Serving(way, List.of());
    }

    /** Who waits for whom within one gather, and one broadcast. */
    public enum Way {
        /** Nobody: all send to the server, whose ports take one frame after the other. */
        DIRECT,

        /** The server takes from one replica after the other, and waits for each. */
        IN_TURN,

        /** Up a binomial tree, each rank of which adds what its children bring, and down again. */
        TREE
    }

    boolean isLayered() {
        return !layers.isEmpty();
    }
}
