package dev.equipoise.agent.network.onednn;

import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_BIAS;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_BIAS;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_DST_LAYER;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_SRC_ITER;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_SRC_ITER_C;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_SRC_LAYER;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_WEIGHTS_ITER;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_WEIGHTS_LAYER;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DST_LAYER;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC_ITER;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC_ITER_C;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC_LAYER;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_WEIGHTS_ITER;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_WEIGHTS_LAYER;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_WORKSPACE;

import dev.equipoise.agent.network.onednn.Natives.Argument;
import dev.equipoise.agent.network.onednn.Natives.Block;
import dev.equipoise.agent.network.step.Activation;
import dev.equipoise.agent.network.step.Binding;
import dev.equipoise.agent.network.step.Step;
import dev.equipoise.agent.network.step.Tensor;
import dev.equipoise.agent.network.step.Weights;
import dev.equipoise.protocol.network.Stage;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.dnnl.global.dnnl.algorithm;
import org.bytedeco.dnnl.global.dnnl.prop_kind;
import org.bytedeco.dnnl.global.dnnl.rnn_direction;
import org.bytedeco.dnnl.lstm_backward;
import org.bytedeco.dnnl.lstm_forward;
import org.bytedeco.dnnl.memory;
import org.bytedeco.dnnl.memory.format_tag;
import org.bytedeco.dnnl.primitive;
import org.bytedeco.dnnl.rnn_primitive_desc_base;
import org.bytedeco.dnnl.vanilla_rnn_backward;
import org.bytedeco.dnnl.vanilla_rnn_forward;

/*
 * Computes all positions of a sequence at once. The initial states are zero, but must be passed:
 * without them oneDNN computes wrong gradients of the state's weights. Weights have the layout
 * layer, direction, input, gate, output ("ldigo"), and are reordered to a layout of oneDNN's
 * choice. The primitive adds to the gradients of the weights, so these are cleared first.
 */
final class RecurrentStep implements Step {
    private static final rnn_direction FORWARD = rnn_direction.unidirectional_left2right;
    private static final memory.desc NONE = new memory.desc();

    private final List<Runnable> forward = new ArrayList<>();
    private final List<Runnable> backward = new ArrayList<>();
    private final MemorySegment matrixGradient;
    private final MemorySegment biasGradient;

    static RecurrentStep rnn(Natives natives, Binding binding) {
        var layouts = Layouts.of(binding, 1);
        var description =
                new vanilla_rnn_forward.primitive_desc(
                        Natives.cpu(),
                        prop_kind.forward_training,
                        algorithm.eltwise_tanh,
                        FORWARD,
                        layouts.source,
                        layouts.first,
                        layouts.anyInput,
                        layouts.anyState,
                        layouts.bias,
                        layouts.target,
                        NONE);
        var derivative =
                new vanilla_rnn_backward.primitive_desc(
                        Natives.cpu(),
                        prop_kind.backward,
                        algorithm.eltwise_tanh,
                        FORWARD,
                        layouts.source,
                        layouts.first,
                        layouts.anyInput,
                        layouts.anyState,
                        layouts.bias,
                        layouts.target,
                        NONE,
                        layouts.source,
                        layouts.first,
                        layouts.input,
                        layouts.state,
                        layouts.bias,
                        layouts.target,
                        NONE,
                        description);
        return new RecurrentStep(
                natives,
                binding,
                layouts,
                new Primitive(description, new vanilla_rnn_forward(description)),
                new Primitive(derivative, new vanilla_rnn_backward(derivative)),
                List.of(DNNL_ARG_SRC_ITER),
                List.of(DNNL_ARG_DIFF_SRC_ITER));
    }

    static RecurrentStep lstm(Natives natives, Binding binding) {
        var layouts = Layouts.of(binding, 4);
        var description =
                new lstm_forward.primitive_desc(
                        Natives.cpu(),
                        prop_kind.forward_training,
                        FORWARD,
                        layouts.source,
                        layouts.first,
                        layouts.first,
                        layouts.anyInput,
                        layouts.anyState,
                        layouts.bias,
                        layouts.target,
                        NONE,
                        NONE);
        var derivative =
                new lstm_backward.primitive_desc(
                        Natives.cpu(),
                        prop_kind.backward,
                        FORWARD,
                        layouts.source,
                        layouts.first,
                        layouts.first,
                        layouts.anyInput,
                        layouts.anyState,
                        layouts.bias,
                        layouts.target,
                        NONE,
                        NONE,
                        layouts.source,
                        layouts.first,
                        layouts.first,
                        layouts.input,
                        layouts.state,
                        layouts.bias,
                        layouts.target,
                        NONE,
                        NONE,
                        description);
        return new RecurrentStep(
                natives,
                binding,
                layouts,
                new Primitive(description, new lstm_forward(description)),
                new Primitive(derivative, new lstm_backward(derivative)),
                List.of(DNNL_ARG_SRC_ITER, DNNL_ARG_SRC_ITER_C),
                List.of(DNNL_ARG_DIFF_SRC_ITER, DNNL_ARG_DIFF_SRC_ITER_C));
    }

    /**
     * @param states oneDNN's argument kinds of the initial states
     * @param stateGradients argument kinds of their gradients, which are not used
     */
    private RecurrentStep(
            Natives natives,
            Binding binding,
            Layouts layouts,
            Primitive recur,
            Primitive derive,
            List<Integer> states,
            List<Integer> stateGradients) {
        Weights weights = binding.weights();
        int features = weights.stage().features();
        int units = weights.stage().fanIn() - features;
        this.matrixGradient = weights.matrixGradient().memory();
        this.biasGradient = weights.biasGradient().memory();
        Block input = natives.block(layouts.input, weights.rows(0, features));
        Block state = natives.block(layouts.state, weights.rows(features, units));

        List<Argument> values = new ArrayList<>(values(natives, binding, layouts));
        values.add(
                new Argument(
                        DNNL_ARG_WORKSPACE, natives.allocate(recur.description.workspace_desc())));
        states.forEach(kind -> values.add(zeros(natives, kind, binding, layouts)));
        List<Argument> gradients = new ArrayList<>(values);
        gradients.addAll(gradients(natives, binding, layouts));
        stateGradients.forEach(kind -> gradients.add(zeros(natives, kind, binding, layouts)));

        forward.add(recur.bind(natives, input, state, forward, values));
        backward.add(this::clearGradients);
        backward.add(derive.bind(natives, input, state, backward, gradients));
    }

    private static List<Argument> values(Natives natives, Binding binding, Layouts layouts) {
        return List.of(
                natives.argument(DNNL_ARG_SRC_LAYER, layouts.source, binding.input().value()),
                natives.argument(DNNL_ARG_BIAS, layouts.bias, binding.weights().bias()),
                natives.argument(DNNL_ARG_DST_LAYER, layouts.target, binding.output().value()));
    }

    private static List<Argument> gradients(Natives natives, Binding binding, Layouts layouts) {
        Weights weights = binding.weights();
        int features = weights.stage().features();
        Tensor inputs = weights.rowsOfGradient(0, features);
        Tensor states = weights.rowsOfGradient(features, weights.stage().fanIn() - features);
        Tensor output = binding.output().wantedGradient();
        return List.of(
                natives.argument(DNNL_ARG_DIFF_DST_LAYER, layouts.target, output),
                natives.argument(DNNL_ARG_DIFF_SRC_LAYER, layouts.source, sourceGradient(binding)),
                natives.argument(DNNL_ARG_DIFF_WEIGHTS_LAYER, layouts.input, inputs),
                natives.argument(DNNL_ARG_DIFF_WEIGHTS_ITER, layouts.state, states),
                natives.argument(DNNL_ARG_DIFF_BIAS, layouts.bias, weights.biasGradient()));
    }

    private static Argument zeros(Natives natives, int kind, Binding binding, Layouts layouts) {
        Activation out = binding.output();
        return natives.argument(
                kind, layouts.first, Tensor.zeros(binding.arena(), out.batch(), out.columns()));
    }

    /**
     * Returns the memory for the input gradient, which the primitive writes even if it is not
     * needed.
     */
    private static Tensor sourceGradient(Binding binding) {
        Activation in = binding.input();
        Tensor gradient = in.gradient();
        return gradient != null ? gradient : Tensor.zeros(binding.arena(), in.rows(), in.columns());
    }

    private void clearGradients() {
        matrixGradient.fill((byte) 0);
        biasGradient.fill((byte) 0);
    }

    @Override
    public void forward() {
        Natives.run(forward);
    }

    @Override
    public void backward() {
        Natives.run(backward);
    }

    /** Primitive that reads both weight matrices in layouts of its choice. */
    private record Primitive(rnn_primitive_desc_base description, primitive operation) {

        Runnable bind(
                Natives natives,
                Block input,
                Block state,
                List<Runnable> program,
                List<Argument> others) {
            List<Argument> arguments = new ArrayList<>(others);
            arguments.add(
                    new Argument(
                            DNNL_ARG_WEIGHTS_LAYER,
                            natives.reordered(input, description.weights_layer_desc(), program)));
            arguments.add(
                    new Argument(
                            DNNL_ARG_WEIGHTS_ITER,
                            natives.reordered(state, description.weights_iter_desc(), program)));
            return natives.bind(description, operation, arguments.toArray(Argument[]::new));
        }
    }

    /** Layouts: position, sample, feature; and the weights for input and state. */
    private record Layouts(
            memory.desc source,
            memory.desc target,
            memory.desc input,
            memory.desc anyInput,
            memory.desc state,
            memory.desc anyState,
            memory.desc bias,
            memory.desc first) {

        static Layouts of(Binding binding, int gates) {
            Stage stage = binding.weights().stage();
            int batch = binding.input().batch();
            int length = binding.input().rows() / batch;
            int features = stage.features();
            int units = stage.units() / gates;
            return new Layouts(
                    Natives.layout(format_tag.tnc, length, batch, features),
                    Natives.layout(format_tag.tnc, length, batch, units),
                    Natives.layout(format_tag.ldigo, 1, 1, features, gates, units),
                    Natives.layout(format_tag.any, 1, 1, features, gates, units),
                    Natives.layout(format_tag.ldigo, 1, 1, units, gates, units),
                    Natives.layout(format_tag.any, 1, 1, units, gates, units),
                    Natives.layout(format_tag.ldgo, 1, 1, gates, units),
                    Natives.layout(format_tag.ldnc, 1, 1, batch, units));
        }
    }
}
