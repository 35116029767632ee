package dev.equipoise.agent.network.nd4j;

import dev.equipoise.agent.network.step.Binding;
import dev.equipoise.agent.network.step.Step;
import dev.equipoise.agent.network.step.Tensor;

/** Remembers where each largest value came from. */
final class MaxPoolStep implements Step {
    private final Places places;
    private final Binding binding;
    private final int channels;
    private final int[] origins;

    MaxPoolStep(Places places, Binding binding) {
        this.places = places;
        this.binding = binding;
        this.channels = places.input().channels();
        this.origins = new int[places.count() * channels];
    }

    @Override
    public void forward() {
        Floats in = Floats.of(binding.input().value());
        Floats out = Floats.of(binding.output().value());
        for (int place = 0; place < places.count(); place++) {
            int start = place * channels;
            for (int channel = 0; channel < channels; channel++) {
                out.set(start + channel, Float.NEGATIVE_INFINITY);
                origins[start + channel] = -1;
            }
            places.forEachPixel(place, (pixel, _) -> take(in, out, start, pixel));
        }
    }

    private void take(Floats in, Floats out, int start, int pixel) {
        for (int channel = 0; channel < channels; channel++) {
            float value = in.get(pixel + channel);
            // A window of nothing but NaN has an origin as well.
            if (origins[start + channel] < 0 || value > out.get(start + channel)) {
                out.set(start + channel, value);
                origins[start + channel] = pixel + channel;
            }
        }
    }

    @Override
    public void backward() {
        Tensor wanted = binding.input().gradient();
        if (wanted == null) {
            return;
        }
        Floats from = Floats.of(binding.output().wantedGradient());
        Floats to = Floats.of(wanted);
        to.clear();
        for (int i = 0; i < origins.length; i++) {
            to.add(origins[i], from.get(i));
        }
    }
}
