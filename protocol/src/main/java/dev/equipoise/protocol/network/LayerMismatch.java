package dev.equipoise.protocol.network;

/** Thrown if a layer cannot take the output of the layer before it; the message has both shapes. */
public final class LayerMismatch extends IllegalArgumentException {

    private final int layer;

    LayerMismatch(int layer, String message) {
        super(message);
        this.layer = layer;
    }

    static LayerMismatch of(int index, Layer layer, Shape input, IllegalArgumentException rule) {
        return new LayerMismatch(
                index,
                "layer %d, %s, %s, but is given %s"
                        .formatted(index, layer, rule.getMessage(), input));
    }

    /** Returns the index of the layer, from 0. */
    public int layer() {
        return layer;
    }
}
