package dev.equipoise.agent.network.nd4j;

import dev.equipoise.agent.network.step.Binding;
import dev.equipoise.agent.network.step.Step;
import dev.equipoise.agent.network.step.Tensor;

final class AveragePoolStep implements Step {
    private final Places places;
    private final Binding binding;
    private final int channels;

    AveragePoolStep(Places places, Binding binding) {
        this.places = places;
        this.binding = binding;
        this.channels = places.input().channels();
    }

    @Override
    public void forward() {
        Floats in = Floats.of(binding.input().value());
        Floats out = Floats.of(binding.output().value());
        out.clear();
        for (int place = 0; place < places.count(); place++) {
            int start = place * channels;
            float share = 1f / places.covered(place);
            places.forEachPixel(place, (pixel, _) -> add(in, pixel, share, out, start));
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
        for (int place = 0; place < places.count(); place++) {
            int start = place * channels;
            float share = 1f / places.covered(place);
            places.forEachPixel(place, (pixel, _) -> add(from, start, share, to, pixel));
        }
    }

    private void add(Floats from, int start, float factor, Floats to, int end) {
        for (int channel = 0; channel < channels; channel++) {
            to.add(end + channel, factor * from.get(start + channel));
        }
    }
}
