package dev.equipoise.agent.network.nd4j;

import dev.equipoise.agent.network.step.Binding;
import dev.equipoise.agent.network.step.Step;

/** Elman RNN: {@code h_t = tanh(x_t W + h_(t-1) U + b)}, with backpropagation through time. */
final class RnnStep implements Step {
    private final Recurrence recurrence;

    RnnStep(Binding binding, Operations operations) {
        this.recurrence = new Recurrence(binding, operations);
    }

    @Override
    public void forward() {
        recurrence.multiplyInputs();
        Floats sums = Floats.of(recurrence.sums());
        Floats states = Floats.of(recurrence.states());
        for (int t = 0; t < recurrence.length(); t++) {
            recurrence.addState(t);
            int start = t * recurrence.stateSize();
            for (int i = start; i < start + recurrence.stateSize(); i++) {
                states.set(i, ActivationFunction.TANH.at(sums.get(i)));
            }
        }
    }

    @Override
    public void backward() {
        Floats states = Floats.of(recurrence.states());
        Floats derivatives = Floats.of(recurrence.sumGradients());
        for (int t = recurrence.length() - 1; t >= 0; t--) {
            Floats stateGradients = recurrence.stateGradients(t);
            int start = t * recurrence.stateSize();
            for (int i = 0; i < recurrence.stateSize(); i++) {
                float slope = ActivationFunction.TANH.slope(states.get(start + i));
                derivatives.set(start + i, slope * stateGradients.get(i));
            }
        }
        recurrence.multiplyGradients();
    }
}
