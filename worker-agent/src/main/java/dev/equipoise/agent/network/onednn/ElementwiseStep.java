package dev.equipoise.agent.network.onednn;

import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_SRC;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC;

import dev.equipoise.agent.network.onednn.Natives.Argument;
import dev.equipoise.agent.network.onednn.Natives.Block;
import dev.equipoise.agent.network.step.Activation;
import dev.equipoise.agent.network.step.Binding;
import dev.equipoise.agent.network.step.Step;
import dev.equipoise.agent.network.step.Tensor;
import org.bytedeco.dnnl.eltwise_backward;
import org.bytedeco.dnnl.eltwise_forward;
import org.bytedeco.dnnl.global.dnnl.algorithm;
import org.bytedeco.dnnl.global.dnnl.prop_kind;
import org.bytedeco.dnnl.memory;
import org.bytedeco.dnnl.memory.format_tag;

/**
 * Elementwise activation function whose derivative follows from its result, so that it works in
 * place.
 */
final class ElementwiseStep implements Step {
    private final Runnable apply;
    private final Runnable derive;

    /**
     * @param kind the function
     * @param derivative its derivative as a function of its result
     */
    ElementwiseStep(Natives natives, algorithm kind, algorithm derivative, Binding binding) {
        Activation in = binding.input();
        Activation out = binding.output();
        memory.desc flat = Natives.layout(format_tag.x, in.value().length());
        Block result = natives.block(flat, out.value());
        var forward =
                new eltwise_forward.primitive_desc(
                        Natives.cpu(), prop_kind.forward_training, kind, flat, flat, 0f);
        this.apply =
                binding.fused()
                        ? () -> {}
                        : natives.bind(
                                forward,
                                new eltwise_forward(forward),
                                natives.argument(DNNL_ARG_SRC, flat, in.value()),
                                new Argument(DNNL_ARG_DST, result));
        Tensor inputGradient = in.gradient();
        if (inputGradient == null) {
            this.derive = () -> {};
            return;
        }
        var hint =
                new eltwise_forward.primitive_desc(
                        Natives.cpu(), prop_kind.forward_training, derivative, flat, flat, 0f);
        var backward =
                new eltwise_backward.primitive_desc(
                        Natives.cpu(), derivative, flat, flat, flat, 0f, natives.keep(hint));
        this.derive =
                natives.bind(
                        backward,
                        new eltwise_backward(backward),
                        new Argument(DNNL_ARG_DST, result),
                        natives.argument(DNNL_ARG_DIFF_DST, flat, out.wantedGradient()),
                        natives.argument(DNNL_ARG_DIFF_SRC, flat, inputGradient));
    }

    @Override
    public void forward() {
        apply.run();
    }

    @Override
    public void backward() {
        derive.run();
    }
}
