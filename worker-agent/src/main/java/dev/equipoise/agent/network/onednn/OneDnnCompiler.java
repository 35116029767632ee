package dev.equipoise.agent.network.onednn;

import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_WEIGHTS;

import dev.equipoise.agent.network.onednn.Natives.Argument;
import dev.equipoise.agent.network.onednn.Natives.Block;
import dev.equipoise.agent.network.step.Binding;
import dev.equipoise.agent.network.step.Compiler;
import dev.equipoise.agent.network.step.Step;
import dev.equipoise.agent.network.step.Tensor;
import dev.equipoise.protocol.network.Layer.AveragePool;
import dev.equipoise.protocol.network.Layer.Convolution;
import dev.equipoise.protocol.network.Layer.Dense;
import dev.equipoise.protocol.network.Layer.Dropout;
import dev.equipoise.protocol.network.Layer.Embedding;
import dev.equipoise.protocol.network.Layer.Flatten;
import dev.equipoise.protocol.network.Layer.Lstm;
import dev.equipoise.protocol.network.Layer.MaxPool;
import dev.equipoise.protocol.network.Layer.Relu;
import dev.equipoise.protocol.network.Layer.Rnn;
import dev.equipoise.protocol.network.Layer.Sigmoid;
import dev.equipoise.protocol.network.Layer.Tanh;
import org.bytedeco.dnnl.global.dnnl.algorithm;
import org.bytedeco.dnnl.global.dnnl.prop_kind;
import org.bytedeco.dnnl.matmul;
import org.bytedeco.dnnl.memory;
import org.bytedeco.dnnl.memory.format_tag;
import org.bytedeco.dnnl.post_ops;
import org.bytedeco.dnnl.primitive_attr;
import org.bytedeco.dnnl.softmax_forward;

/** Compiles layers into oneDNN primitives. */
final class OneDnnCompiler implements Compiler {
    private static final int COLUMNS = 1;

    private final Natives natives = new Natives();

    @Override
    public boolean fusesRelu() {
        return true;
    }

    @Override
    public Step step(Binding binding) {
        return switch (binding.layer()) {
            case Convolution layer -> new ConvolutionStep(natives, layer, binding);
            case Dense _ -> new DenseStep(natives, binding);
            case MaxPool layer ->
                    new PoolStep(natives, algorithm.pooling_max, layer.window(), binding);
            case AveragePool layer ->
                    new PoolStep(
                            natives,
                            algorithm.pooling_avg_exclude_padding,
                            layer.window(),
                            binding);
            case Relu _ ->
                    new ElementwiseStep(
                            natives,
                            algorithm.eltwise_relu,
                            algorithm.eltwise_relu_use_dst_for_bwd,
                            binding);
            case Sigmoid _ ->
                    new ElementwiseStep(
                            natives,
                            algorithm.eltwise_logistic,
                            algorithm.eltwise_logistic_use_dst_for_bwd,
                            binding);
            case Tanh _ ->
                    new ElementwiseStep(
                            natives,
                            algorithm.eltwise_tanh,
                            algorithm.eltwise_tanh_use_dst_for_bwd,
                            binding);
            case Rnn _ -> RecurrentStep.rnn(natives, binding);
            case Lstm _ -> RecurrentStep.lstm(natives, binding);
            case Flatten _, Dropout _, Embedding _ ->
                    throw new IllegalArgumentException(
                            "oneDNN has no primitive for " + binding.layer());
        };
    }

    @Override
    public Runnable softmax(Tensor scores, Tensor out, float factor) {
        memory.desc rows = matrix(scores);
        post_ops scaling = new post_ops();
        scaling.append_eltwise(algorithm.eltwise_linear, factor, 0f);
        primitive_attr attributes = natives.keep(new primitive_attr());
        attributes.set_post_ops(natives.keep(scaling));
        var description =
                new softmax_forward.primitive_desc(
                        Natives.cpu(),
                        prop_kind.forward_inference,
                        algorithm.softmax_accurate,
                        rows,
                        rows,
                        COLUMNS,
                        attributes,
                        false);
        return natives.bind(
                description,
                new softmax_forward(description),
                natives.argument(DNNL_ARG_SRC, rows, scores),
                natives.argument(DNNL_ARG_DST, rows, out));
    }

    @Override
    public Runnable multiply(Tensor left, Tensor right, Tensor out) {
        Block a = natives.block(matrix(left), left);
        Block b = natives.block(matrix(right), right);
        Block c = natives.block(matrix(out), out);
        var description =
                new matmul.primitive_desc(Natives.cpu(), a.layout(), b.layout(), c.layout());
        return natives.bind(
                description,
                new matmul(description),
                new Argument(DNNL_ARG_SRC, a),
                new Argument(DNNL_ARG_WEIGHTS, b),
                new Argument(DNNL_ARG_DST, c));
    }

    @Override
    public void close() {
        natives.close();
    }

    private static memory.desc matrix(Tensor tensor) {
        return Natives.layout(format_tag.ab, tensor.shape().get(0), tensor.shape().get(1));
    }
}
