package dev.equipoise.agent.network.nd4j;

import dev.equipoise.agent.network.step.Binding;
import dev.equipoise.agent.network.step.Step;
import dev.equipoise.agent.network.step.Tensor;

final class ElementwiseStep implements Step {
    private final Binding binding;
    private final ActivationFunction function;

    ElementwiseStep(Binding binding, ActivationFunction function) {
        this.binding = binding;
        this.function = function;
    }

    @Override
    public void forward() {
        Floats in = Floats.of(binding.input().value());
        Floats out = Floats.of(binding.output().value());
        int count = binding.output().value().length();
        for (int i = 0; i < count; i++) {
            out.set(i, function.at(in.get(i)));
        }
    }

    @Override
    public void backward() {
        Tensor inputGradient = binding.input().gradient();
        if (inputGradient == null) {
            return;
        }
        Floats results = Floats.of(binding.output().value());
        Floats from = Floats.of(binding.output().wantedGradient());
        Floats to = Floats.of(inputGradient);
        int count = inputGradient.length();
        for (int i = 0; i < count; i++) {
            to.set(i, from.get(i) * function.slope(results.get(i)));
        }
    }
}
