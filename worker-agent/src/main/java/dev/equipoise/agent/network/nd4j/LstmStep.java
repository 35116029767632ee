package dev.equipoise.agent.network.nd4j;

import dev.equipoise.agent.network.step.Binding;
import dev.equipoise.agent.network.step.Step;
import dev.equipoise.agent.network.step.Tensor;

/*
 * LSTM with the gates i, f, g, o, computed from the sums of input and state: c_t = f c_(t-1) + i g
 * and h_t = o tanh(c_t). The forward pass overwrites the sums with the gates.
 */
final class LstmStep implements Step {
    private static final int GATES = 4;

    private final Recurrence recurrence;
    private final int units;
    private final Floats gates;
    private final Floats gateGradients;
    private final Floats cells;
    private final Floats cellGradients;
    private final Floats states;

    LstmStep(Binding binding, int units, Operations operations) {
        this.recurrence = new Recurrence(binding, operations);
        this.units = units;
        this.gates = Floats.of(recurrence.sums());
        this.gateGradients = Floats.of(recurrence.sumGradients());
        this.states = Floats.of(recurrence.states());
        long steps = recurrence.length();
        this.cells = Floats.of(Tensor.zeros(binding.arena(), steps, recurrence.stateSize()));
        this.cellGradients = Floats.of(Tensor.zeros(binding.arena(), recurrence.stateSize()));
    }

    @Override
    public void forward() {
        recurrence.multiplyInputs();
        for (int t = 0; t < recurrence.length(); t++) {
            recurrence.addState(t);
            for (int i = 0; i < recurrence.stateSize(); i++) {
                step(t, i);
            }
        }
    }

    /**
     * @param t position in the sequence
     * @param i unit of a sample
     */
    private void step(int t, int i) {
        int cell = t * recurrence.stateSize() + i;
        int gate = gate(t, i);
        float in = activate(ActivationFunction.SIGMOID, gate);
        float forget = activate(ActivationFunction.SIGMOID, gate + units);
        float candidate = activate(ActivationFunction.TANH, gate + 2 * units);
        float out = activate(ActivationFunction.SIGMOID, gate + 3 * units);
        float before = t == 0 ? 0 : cells.get(cell - recurrence.stateSize());
        cells.set(cell, forget * before + in * candidate);
        states.set(cell, out * ActivationFunction.TANH.at(cells.get(cell)));
    }

    private float activate(ActivationFunction function, int gate) {
        gates.set(gate, function.at(gates.get(gate)));
        return gates.get(gate);
    }

    /** Returns the index of a unit's first gate. */
    private int gate(int t, int i) {
        int sample = i / units;
        int samples = recurrence.stateSize() / units;
        return (t * samples + sample) * GATES * units + i % units;
    }

    @Override
    public void backward() {
        cellGradients.clear();
        for (int t = recurrence.length() - 1; t >= 0; t--) {
            Floats stateGradients = recurrence.stateGradients(t);
            for (int i = 0; i < recurrence.stateSize(); i++) {
                stepBack(t, i, stateGradients.get(i));
            }
        }
        recurrence.multiplyGradients();
    }

    private void stepBack(int t, int i, float byState) {
        int cell = t * recurrence.stateSize() + i;
        int gate = gate(t, i);
        float in = gates.get(gate);
        float forget = gates.get(gate + units);
        float candidate = gates.get(gate + 2 * units);
        float out = gates.get(gate + 3 * units);
        float squashed = ActivationFunction.TANH.at(cells.get(cell));
        float before = t == 0 ? 0 : cells.get(cell - recurrence.stateSize());
        float byCell =
                cellGradients.get(i) + byState * out * ActivationFunction.TANH.slope(squashed);
        gateGradients.set(gate, byCell * candidate * ActivationFunction.SIGMOID.slope(in));
        gateGradients.set(gate + units, byCell * before * ActivationFunction.SIGMOID.slope(forget));
        gateGradients.set(gate + 2 * units, byCell * in * ActivationFunction.TANH.slope(candidate));
        gateGradients.set(
                gate + 3 * units, byState * squashed * ActivationFunction.SIGMOID.slope(out));
        cellGradients.set(i, byCell * forget);
    }
}
