package dev.equipoise.agent.network.onednn;

import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_BIAS;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_BIAS;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_SRC;
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
import dev.equipoise.protocol.network.Layer.Convolution;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.dnnl.convolution_backward_data;
import org.bytedeco.dnnl.convolution_backward_weights;
import org.bytedeco.dnnl.convolution_forward;
import org.bytedeco.dnnl.global.dnnl.algorithm;
import org.bytedeco.dnnl.global.dnnl.prop_kind;
import org.bytedeco.dnnl.memory;
import org.bytedeco.dnnl.memory.format_tag;

/*
 * Images keep their channels last ("nhwc"), which suits all layers. The weights are reordered to a
 * layout of oneDNN's choice, which takes a hundredth of a millisecond.
 */
final class ConvolutionStep implements Step {
    private final List<Runnable> forward = new ArrayList<>();
    private final List<Runnable> backward = new ArrayList<>();

    private final Natives natives;
    private final Weights weights;
    private final Geometry geometry;
    private final Block source;
    private final Block derivative;
    private final Block plainWeights;
    private final Block bias;

    ConvolutionStep(Natives natives, Convolution layer, Binding binding) {
        Activation in = binding.input();
        Activation out = binding.output();
        this.natives = natives;
        this.weights = binding.weights();
        this.geometry = Geometry.of(layer, in, out);
        this.source = natives.block(geometry.source(), in.value());
        this.derivative = natives.block(geometry.target(), out.wantedGradient());
        this.plainWeights = natives.block(geometry.filters(format_tag.hwio), weights.matrix());
        this.bias = natives.block(geometry.bias(), weights.bias());

        var description =
                new convolution_forward.primitive_desc(
                        Natives.cpu(),
                        prop_kind.forward_training,
                        algorithm.convolution_direct,
                        geometry.source(),
                        geometry.filters(format_tag.any),
                        geometry.bias(),
                        geometry.target(),
                        geometry.strides(),
                        geometry.padding(),
                        geometry.padding(),
                        Relus.afterwards(natives, binding.fused()),
                        false);
        Block filters = natives.reordered(plainWeights, description.weights_desc(), forward);
        forward.add(
                natives.bind(
                        description,
                        new convolution_forward(description),
                        new Argument(DNNL_ARG_SRC, source),
                        new Argument(DNNL_ARG_WEIGHTS, filters),
                        new Argument(DNNL_ARG_BIAS, bias),
                        natives.argument(DNNL_ARG_DST, geometry.target(), out.value())));
        addWeightGradient(description);
        Tensor inputGradient = in.gradient();
        if (inputGradient != null) {
            addInputGradient(description, filters, inputGradient);
        }
    }

    private void addWeightGradient(convolution_forward.primitive_desc hint) {
        var description =
                new convolution_backward_weights.primitive_desc(
                        Natives.cpu(),
                        algorithm.convolution_direct,
                        geometry.source(),
                        geometry.filters(format_tag.any),
                        geometry.bias(),
                        geometry.target(),
                        geometry.strides(),
                        geometry.padding(),
                        geometry.padding(),
                        hint);
        Block plain = natives.block(geometry.filters(format_tag.hwio), weights.matrixGradient());
        memory.desc chosen = description.diff_weights_desc();
        Block written = plain.hasLayout(chosen) ? plain : natives.allocate(chosen);
        backward.add(
                natives.bind(
                        description,
                        new convolution_backward_weights(description),
                        new Argument(DNNL_ARG_SRC, source),
                        new Argument(DNNL_ARG_DIFF_DST, derivative),
                        new Argument(DNNL_ARG_DIFF_WEIGHTS, written),
                        natives.argument(
                                DNNL_ARG_DIFF_BIAS, geometry.bias(), weights.biasGradient())));
        if (!plain.hasLayout(chosen)) {
            backward.add(natives.copy(written, plain));
        }
    }

    private void addInputGradient(
            convolution_forward.primitive_desc hint, Block filters, Tensor inputGradient) {
        var description =
                new convolution_backward_data.primitive_desc(
                        Natives.cpu(),
                        algorithm.convolution_direct,
                        geometry.source(),
                        geometry.filters(format_tag.any),
                        geometry.target(),
                        geometry.strides(),
                        geometry.padding(),
                        geometry.padding(),
                        hint);
        memory.desc chosen = description.weights_desc();
        Block used =
                filters.hasLayout(chosen)
                        ? filters
                        : natives.reordered(plainWeights, chosen, backward);
        backward.add(
                natives.bind(
                        description,
                        new convolution_backward_data(description),
                        new Argument(DNNL_ARG_DIFF_DST, derivative),
                        new Argument(DNNL_ARG_WEIGHTS, used),
                        natives.argument(DNNL_ARG_DIFF_SRC, geometry.source(), inputGradient)));
    }

    @Override
    public void forward() {
        Natives.run(forward);
    }

    @Override
    public void backward() {
        Natives.run(backward);
    }
}
