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
import org.bytedeco.dnnl.pooling_backward;
import org.bytedeco.dnnl.pooling_forward;

/** Pooling; for max pooling, the workspace records which value of each window was the largest. */
final class PoolStep implements Step {
    private static final long[] NO_DILATION = {0, 0};

    private final Runnable pool;
    private final Runnable spread;

    PoolStep(Natives natives, algorithm kind, Window window, Binding binding) {
        Geometry geometry = Geometry.of(window, binding.input(), binding.output());
        pooling_forward.primitive_desc forward = forward(kind, geometry);
        List<Argument> workspace = workspace(natives, kind, forward);
        this.pool =
                natives.bind(
                        forward,
                        new pooling_forward(forward),
                        with(
                                workspace,
                                natives.argument(
                                        DNNL_ARG_SRC, geometry.source(), binding.input().value()),
                                natives.argument(
                                        DNNL_ARG_DST,
                                        geometry.target(),
                                        binding.output().value())));
        Tensor inputGradient = binding.input().gradient();
        if (inputGradient == null) {
            this.spread = () -> {};
            return;
        }
        pooling_backward.primitive_desc backward = backward(kind, geometry, forward);
        this.spread =
                natives.bind(
                        backward,
                        new pooling_backward(backward),
                        with(
                                workspace,
                                natives.argument(
                                        DNNL_ARG_DIFF_DST,
                                        geometry.target(),
                                        binding.output().wantedGradient()),
                                natives.argument(
                                        DNNL_ARG_DIFF_SRC, geometry.source(), inputGradient)));
    }

    private static pooling_forward.primitive_desc forward(algorithm kind, Geometry geometry) {
        return new pooling_forward.primitive_desc(
                Natives.cpu(),
                prop_kind.forward_training,
                kind,
                geometry.source(),
                geometry.target(),
                geometry.strides(),
                geometry.size(),
                NO_DILATION,
                geometry.padding(),
                geometry.farPadding());
    }

    private static pooling_backward.primitive_desc backward(
            algorithm kind, Geometry geometry, pooling_forward.primitive_desc forward) {
        return new pooling_backward.primitive_desc(
                Natives.cpu(),
                kind,
                geometry.source(),
                geometry.target(),
                geometry.strides(),
                geometry.size(),
                NO_DILATION,
                geometry.padding(),
                geometry.farPadding(),
                forward);
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
