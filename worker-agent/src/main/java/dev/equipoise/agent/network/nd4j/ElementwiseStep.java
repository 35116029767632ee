package dev.equipoise.agent.network.nd4j;

import dev.equipoise.agent.network.step.Binding;
import dev.equipoise.agent.network.step.Step;
import dev.equipoise.agent.network.step.Tensor;

final class ElementwiseStep implements Step {
    private final Binding binding;
    private final Curve curve;

    ElementwiseStep(Binding binding, Curve curve) {
        this.binding = binding;
        this.curve = curve;
    }

    @Override
    public void forward() {
        Floats in = Floats.of(binding.input().value());
        Floats out = Floats.of(binding.output().value());
        int count = binding.output().value().length();
        for (int i = 0; i < count; i++) {
            out.set(i, curve.at(in.get(i)));
        }
    }

    @Override
    public void backward() {
        Tensor wanted = binding.input().gradient();
        if (wanted == null) {
            return;
        }
        Floats results = Floats.of(binding.output().value());
        Floats from = Floats.of(binding.output().wantedGradient());
        Floats to = Floats.of(wanted);
        int count = wanted.length();
        for (int i = 0; i < count; i++) {
            to.set(i, from.get(i) * curve.slope(results.get(i)));
        }
    }
}
