package dev.equipoise.agent.network.onednn;

import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_ATTR_SCALES;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC;

import dev.equipoise.agent.network.onednn.Natives.Argument;
import dev.equipoise.agent.network.onednn.Natives.Block;
import dev.equipoise.agent.optimizer.Descent;
import java.lang.foreign.MemorySegment;
import org.bytedeco.dnnl.memory;
import org.bytedeco.dnnl.memory.format_tag;
import org.bytedeco.dnnl.post_ops;
import org.bytedeco.dnnl.primitive_attr;
import org.bytedeco.dnnl.reorder;
import org.bytedeco.javacpp.FloatPointer;
import org.jspecify.annotations.Nullable;

/**
 * SGD step as a oneDNN reorder: the gradient is copied onto the parameters, scaled and added.
 * Unlike a loop it uses all threads.
 */
final class ScaledSum implements Descent {
    private @Nullable Bound bound;

    /** Reuses the primitive of the last step as long as the vectors stay the same. */
    @Override
    public void descend(MemorySegment parameters, MemorySegment gradient, float rate) {
        if (bound == null || !bound.isFor(parameters, gradient)) {
            bound = Bound.to(parameters, gradient);
        }
        bound.scale().put(-rate);
        bound.run().run();
    }

    /**
     * Primitive for two vectors. The garbage collector frees it with its optimizer; it is small.
     */
    private record Bound(
            MemorySegment parameters,
            MemorySegment gradient,
            FloatPointer scale,
            Natives natives,
            Runnable run) {

        static Bound to(MemorySegment parameters, MemorySegment gradient) {
            Natives natives = new Natives();
            memory.desc vector = Natives.layout(format_tag.x, parameters.byteSize() / Float.BYTES);
            Block from = natives.block(vector, gradient);
            Block to = natives.block(vector, parameters);
            FloatPointer scale = natives.keep(new FloatPointer(1));
            Block factor = natives.block(Natives.layout(format_tag.x, 1), scale);
            var description =
                    new reorder.primitive_desc(
                            Natives.cpu(),
                            vector,
                            Natives.cpu(),
                            vector,
                            scaledAndAdded(natives),
                            false);
            Runnable run =
                    natives.bind(
                            description,
                            new reorder(description),
                            new Argument(DNNL_ARG_SRC, from),
                            new Argument(DNNL_ARG_DST, to),
                            new Argument(DNNL_ARG_ATTR_SCALES | DNNL_ARG_SRC, factor));
            return new Bound(parameters, gradient, scale, natives, run);
        }

        boolean isFor(MemorySegment otherParameters, MemorySegment otherGradient) {
            return parameters.equals(otherParameters) && gradient.equals(otherGradient);
        }

        private static primitive_attr scaledAndAdded(Natives natives) {
            post_ops sum = natives.keep(new post_ops());
            sum.append_sum(1, 0, memory.data_type.undef);
            primitive_attr attributes = natives.keep(new primitive_attr());
            attributes.set_scales_mask(DNNL_ARG_SRC, 0);
            attributes.set_post_ops(sum);
            return attributes;
        }
    }
}
