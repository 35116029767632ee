package dev.equipoise.agent.network.onednn;

import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_SRC;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_WORKSPACE;

import dev.equipoise.agent.network.onednn.Natives.Argument;
import dev.equipoise.agent.network.step.Binding;
import dev.equipoise.agent.network.step.Step;
import dev.equipoise.agent.network.step.Tensor;
import dev.equipoise.protocol.network.Window;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.dnnl.global.dnnl.algorithm;
import org.bytedeco.dnnl.global.dnnl.prop_kind;
import org.bytedeco.dnnl.memory;
import org.bytedeco.dnnl.pooling_backward;
import org.bytedeco.dnnl.pooling_forward;

/** The workspace remembers which value of each window was the largest; a mean needs none. */
final class PoolStep implements Step {
    private static final long[] NO_DILATION = {0, 0};

    private final Runnable pool;
    private final Runnable spread;

    PoolStep(Natives natives, algorithm kind, Window window, Binding binding) {
        Geometry geometry = Geometry.of(window, binding.input(), binding.output());
        memory.desc from = geometry.source();
        memory.desc to = geometry.target();
        var forward =
                new pooling_forward.primitive_desc(
                        Natives.cpu(),
                        prop_kind.forward_training,
                        kind,
                        from,
                        to,
                        geometry.strides(),
                        geometry.size(),
                        NO_DILATION,
                        geometry.padding(),
                        geometry.farPadding());
        List<Argument> workspace = workspace(natives, kind, forward);
        this.pool =
                natives.bind(
                        forward,
                        new pooling_forward(forward),
                        with(
                                workspace,
                                natives.argument(DNNL_ARG_SRC, from, binding.input().value()),
                                natives.argument(DNNL_ARG_DST, to, binding.output().value())));
        Tensor wanted = binding.input().gradient();
        if (wanted == null) {
            this.spread = () -> {};
            return;
        }
        var backward =
                new pooling_backward.primitive_desc(
                        Natives.cpu(),
                        kind,
                        from,
                        to,
                        geometry.strides(),
                        geometry.size(),
                        NO_DILATION,
                        geometry.padding(),
                        geometry.farPadding(),
                        forward);
        this.spread =
                natives.bind(
                        backward,
                        new pooling_backward(backward),
                        with(
                                workspace,
                                natives.argument(
                                        DNNL_ARG_DIFF_DST, to, binding.output().wantedGradient()),
                                natives.argument(DNNL_ARG_DIFF_SRC, from, wanted)));
    }

    private static List<Argument> workspace(
            Natives natives, algorithm kind, pooling_forward.primitive_desc forward) {
        return kind == algorithm.pooling_max
                ? List.of(
                        new Argument(
                                DNNL_ARG_WORKSPACE, natives.allocate(forward.workspace_desc())))
                : List.of();
    }

    private static Argument[] with(List<Argument> workspace, Argument... others) {
        List<Argument> all = new ArrayList<>(List.of(others));
        all.addAll(workspace);
        return all.toArray(Argument[]::new);
    }

    @Override
    public void forward() {
        pool.run();
    }

    @Override
    public void backward() {
        spread.run();
    }
}
