package dev.equipoise.agent.network.onednn;

import org.bytedeco.dnnl.global.dnnl.algorithm;
import org.bytedeco.dnnl.post_ops;
import org.bytedeco.dnnl.primitive_attr;

/** Post-operation by which a primitive applies a ReLU to its output before it writes it. */
final class Relus {

    private Relus() {}

    static primitive_attr afterwards(Natives natives, boolean wanted) {
        primitive_attr attributes = natives.keep(new primitive_attr());
        if (wanted) {
            post_ops relu = natives.keep(new post_ops());
            relu.append_eltwise(algorithm.eltwise_relu, 0f, 0f);
            attributes.set_post_ops(relu);
        }
        return attributes;
    }
}
