package dev.equipoise.agent.network.onednn;

import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_BIAS;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_BIAS;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_WEIGHTS;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_WEIGHTS;

import dev.equipoise.agent.network.onednn.Natives.Argument;
import dev.equipoise.agent.network.onednn.Natives.Block;
import dev.equipoise.agent.network.step.Activation;
import dev.equipoise.agent.network.step.Binding;
import dev.equipoise.agent.network.step.Step;
import dev.equipoise.agent.network.step.Tensor;
import dev.equipoise.agent.network.step.Weights;
import org.bytedeco.dnnl.global.dnnl.prop_kind;
import org.bytedeco.dnnl.inner_product_backward_weights;
import org.bytedeco.dnnl.inner_product_forward;
import org.bytedeco.dnnl.matmul;
import org.bytedeco.dnnl.memory;
import org.bytedeco.dnnl.memory.format_tag;
import org.jspecify.annotations.Nullable;

/*
 * The weights keep their layout, input by unit, which oneDNN calls "ba": its own choice of a layout
 * costs more in reorders than it gains. The gradient by the input is a matrix product, since
 * inner_product_backward_data hardly scales with threads.
 */
final class DenseStep implements Step {
    private final Runnable multiply;
    private final Runnable weightGradient;
    private final Runnable inputGradient;

    DenseStep(Natives natives, Binding binding) {
        Weights weights = binding.weights();
        Activation in = binding.input();
        Activation out = binding.output();
        int fanIn = weights.stage().fanIn();
        int units = weights.stage().units();
        memory.desc from = Natives.layout(format_tag.ab, in.rows(), fanIn);
        memory.desc to = Natives.layout(format_tag.ab, in.rows(), units);
        memory.desc matrix = Natives.layout(format_tag.ba, units, fanIn);
        memory.desc bias = Natives.layout(format_tag.x, units);
        Block source = natives.block(from, in.value());
        Block derivative = natives.block(to, out.wantedGradient());
        Block filters = natives.block(matrix, weights.matrix());

        var forward =
                new inner_product_forward.primitive_desc(
                        Natives.cpu(),
                        prop_kind.forward_training,
                        from,
                        matrix,
                        bias,
                        to,
                        Relus.afterwards(natives, binding.fused()),
                        false);
        this.multiply =
                natives.bind(
                        forward,
                        new inner_product_forward(forward),
                        new Argument(DNNL_ARG_SRC, source),
                        new Argument(DNNL_ARG_WEIGHTS, filters),
                        natives.argument(DNNL_ARG_BIAS, bias, weights.bias()),
                        natives.argument(DNNL_ARG_DST, to, out.value()));

        var backward =
                new inner_product_backward_weights.primitive_desc(
                        Natives.cpu(), from, matrix, bias, to, forward);
        this.weightGradient =
                natives.bind(
                        backward,
                        new inner_product_backward_weights(backward),
                        new Argument(DNNL_ARG_SRC, source),
                        new Argument(DNNL_ARG_DIFF_DST, derivative),
                        natives.argument(DNNL_ARG_DIFF_WEIGHTS, matrix, weights.matrixGradient()),
                        natives.argument(DNNL_ARG_DIFF_BIAS, bias, weights.biasGradient()));
        this.inputGradient = inputGradient(natives, in.gradient(), derivative, filters, from);
    }

    private static Runnable inputGradient(
            Natives natives,
            @Nullable Tensor gradientOfInput,
            Block derivative,
            Block filters,
            memory.desc to) {
        if (gradientOfInput == null) {
            return () -> {};
        }
        var product =
                new matmul.primitive_desc(Natives.cpu(), derivative.layout(), filters.layout(), to);
        return natives.bind(
                product,
                new matmul(product),
                new Argument(DNNL_ARG_SRC, derivative),
                new Argument(DNNL_ARG_WEIGHTS, filters),
                natives.argument(DNNL_ARG_DST, to, gradientOfInput));
    }

    @Override
    public void forward() {
        multiply.run();
    }

    @Override
    public void backward() {
        weightGradient.run();
        inputGradient.run();
    }
}
