package dev.equipoise.agent.network.nd4j;

import dev.equipoise.agent.network.step.Binding;
import dev.equipoise.agent.network.step.Step;
import dev.equipoise.agent.network.step.Tensor;

/** Max pooling, which records the input index of each maximum. */
final class MaxPoolStep implements Step {
    private final WindowPositions windows;
    private final Binding binding;
    private final int channels;
    private final int[] origins;

    MaxPoolStep(WindowPositions windows, Binding binding) {
        this.windows = windows;
        this.binding = binding;
        this.channels = windows.input().channels();
        this.origins = new int[windows.count() * channels];
    }

    @Override
    public void forward() {
        Floats in = Floats.of(binding.input().value());
        Floats out = Floats.of(binding.output().value());
        for (int window = 0; window < windows.count(); window++) {
            int start = window * channels;
            for (int channel = 0; channel < channels; channel++) {
                out.set(start + channel, Float.NEGATIVE_INFINITY);
                origins[start + channel] = -1;
            }
            windows.forEachPixel(window, (pixel, _) -> update(in, out, start, pixel));
        }
    }

    private void update(Floats in, Floats out, int start, int pixel) {
        for (int channel = 0; channel < channels; channel++) {
            float value = in.get(pixel + channel);
            // Accepts the first value, so that a window of NaN alone has an origin too.
            if (origins[start + channel] < 0 || value > out.get(start + channel)) {
                out.set(start + channel, value);
                origins[start + channel] = pixel + channel;
            }
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
        for (int i = 0; i < origins.length; i++) {
            to.add(origins[i], from.get(i));
        }
    }
}
