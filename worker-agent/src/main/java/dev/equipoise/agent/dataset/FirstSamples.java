package dev.equipoise.agent.dataset;

import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.protocol.dataset.Augmentation;
import dev.equipoise.protocol.network.Shape;
import java.util.Objects;

record FirstSamples(Dataset all, int size) implements Dataset {

    FirstSamples {
        if (size < 1) {
            throw new IllegalArgumentException("limit must be positive, but was " + size);
        }
        size = Math.min(size, all.size());
    }

    @Override
    public Shape shape() {
        return all.shape();
    }

    @Override
    public int positions() {
        return all.positions();
    }

    @Override
    public int classes() {
        return all.classes();
    }

    @Override
    public void addInputs(SampleDigest digest, int samples) {
        all.addInputs(digest, Math.min(size, samples));
    }

    @Override
    public void addLabels(SampleDigest digest, int samples) {
        all.addLabels(digest, Math.min(size, samples));
    }

    @Override
    public Dataset augmented(Augmentation augmentation, long seed) {
        return new FirstSamples(all.augmented(augmentation, seed), size);
    }

    @Override
    public Dataset inEpoch(int epoch) {
        Dataset drawn = all.inEpoch(epoch);
        return drawn.equals(all) ? this : new FirstSamples(drawn, size);
    }

    @Override
    public void read(int[] order, int from, int count, Minibatch into) {
        Objects.checkFromIndexSize(from, count, order.length);
        for (int i = from; i < from + count; i++) {
            Objects.checkIndex(order[i], size);
        }
        all.read(order, from, count, into);
    }
}
