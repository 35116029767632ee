package dev.equipoise.agent.network.onednn;

import dev.equipoise.agent.network.step.Activation;
import dev.equipoise.protocol.network.Layer.Convolution;
import dev.equipoise.protocol.network.Shape.Image;
import dev.equipoise.protocol.network.Window;
import org.bytedeco.dnnl.memory;
import org.bytedeco.dnnl.memory.format_tag;

/**
 * Window over images in oneDNN's terms, which list channels before height and width whatever the
 * layout.
 */
record Geometry(int batch, Image input, Image output, Window window) {

    static Geometry of(Convolution layer, Activation in, Activation out) {
        return of(layer.window(), in, out);
    }

    static Geometry of(Window window, Activation in, Activation out) {
        if (in.shape() instanceof Image from && out.shape() instanceof Image to) {
            return new Geometry(in.batch(), from, to, window);
        }
        throw new IllegalArgumentException(
                "a window layer needs images as input and output, but was given %s and %s"
                        .formatted(in.shape(), out.shape()));
    }

    memory.desc source() {
        return images(input);
    }

    memory.desc target() {
        return images(output);
    }

    memory.desc filters(format_tag tag) {
        return Natives.layout(
                tag, output.channels(), input.channels(), window.size(), window.size());
    }

    memory.desc bias() {
        return Natives.layout(format_tag.x, output.channels());
    }

    long[] size() {
        return new long[] {window.size(), window.size()};
    }

    long[] strides() {
        return new long[] {window.stride(), window.stride()};
    }

    /** Returns the padding above and on the left. */
    long[] padding() {
        return new long[] {window.padding(), window.padding()};
    }

    /**
     * Returns the padding below and on the right, which is more if the last window crosses the
     * border.
     */
    long[] farPadding() {
        return new long[] {
            farPadding(input.height(), output.height()), farPadding(input.width(), output.width())
        };
    }

    private long farPadding(int side, int windows) {
        int overhang = (windows - 1) * window.stride() + window.size() - window.padding() - side;
        return Math.max(window.padding(), overhang);
    }

    private memory.desc images(Image image) {
        return Natives.layout(
                format_tag.nhwc, batch, image.channels(), image.height(), image.width());
    }
}
