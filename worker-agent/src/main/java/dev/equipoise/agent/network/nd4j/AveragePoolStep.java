package dev.equipoise.agent.network.nd4j;

import dev.equipoise.agent.network.step.Binding;
import dev.equipoise.agent.network.step.Step;
import dev.equipoise.agent.network.step.Tensor;

final class AveragePoolStep implements Step {
    private final WindowPositions windows;
    private final Binding binding;
    private final int channels;

    AveragePoolStep(WindowPositions windows, Binding binding) {
        this.windows = windows;
        this.binding = binding;
        this.channels = windows.input().channels();
    }

    @Override
    public void forward() {
        Floats in = Floats.of(binding.input().value());
        Floats out = Floats.of(binding.output().value());
        out.clear();
        for (int window = 0; window < windows.count(); window++) {
            int start = window * channels;
            float share = 1f / windows.covered(window);
            windows.forEachPixel(window, (pixel, _) -> add(in, pixel, share, out, start));
        }
    }

    @Override
    public void backward() {
        Tensor inputGradient = binding.input().gradient();
        if (inputGradient == null) {
            return;
        }
        Floats from = Floats.of(binding.output().wantedGradient());
        Floats to = Floats.of(inputGradient);
        to.clear();
        for (int window = 0; window < windows.count(); window++) {
            int start = window * channels;
            float share = 1f / windows.covered(window);
            windows.forEachPixel(window, (pixel, _) -> add(from, start, share, to, pixel));
        }
    }

    private void add(Floats from, int start, float factor, Floats to, int end) {
        for (int channel = 0; channel < channels; channel++) {
            to.add(end + channel, factor * from.get(start + channel));
        }
    }
}
