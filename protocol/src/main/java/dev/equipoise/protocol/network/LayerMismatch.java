package dev.equipoise.protocol.network;

/** A layer that cannot take what the layer before it makes; the message has both shapes. */
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

    /** Its index, from 0. */
    public int layer() {
        return layer;
    }
}
