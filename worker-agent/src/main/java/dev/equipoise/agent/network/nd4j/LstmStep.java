package dev.equipoise.agent.network.nd4j;

import dev.equipoise.agent.network.step.Binding;
import dev.equipoise.agent.network.step.Step;
import dev.equipoise.agent.network.step.Tensor;

/*
 * With the gates i, f, g, o from the sums of input and state: c_t = f c_(t-1) + i g and
 * h_t = o tanh(c_t). Sums are overwritten by gates on the way forward.
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
     * @param t the position
     * @param i a unit of a sample
     */
    private void step(int t, int i) {
        int cell = t * recurrence.stateSize() + i;
        int gate = gate(t, i);
        float in = squash(Curve.SIGMOID, gate);
        float forget = squash(Curve.SIGMOID, gate + units);
        float candidate = squash(Curve.TANH, gate + 2 * units);
        float out = squash(Curve.SIGMOID, gate + 3 * units);
        float before = t == 0 ? 0 : cells.get(cell - recurrence.stateSize());
        cells.set(cell, forget * before + in * candidate);
        states.set(cell, out * Curve.TANH.at(cells.get(cell)));
    }

    private float squash(Curve curve, int gate) {
        gates.set(gate, curve.at(gates.get(gate)));
        return gates.get(gate);
    }

    /** The place of a unit's first gate. */
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
        float squashed = Curve.TANH.at(cells.get(cell));
        float before = t == 0 ? 0 : cells.get(cell - recurrence.stateSize());
        float byCell = cellGradients.get(i) + byState * out * Curve.TANH.slope(squashed);
        gateGradients.set(gate, byCell * candidate * Curve.SIGMOID.slope(in));
        gateGradients.set(gate + units, byCell * before * Curve.SIGMOID.slope(forget));
        gateGradients.set(gate + 2 * units, byCell * in * Curve.TANH.slope(candidate));
        gateGradients.set(gate + 3 * units, byState * squashed * Curve.SIGMOID.slope(out));
        cellGradients.set(i, byCell * forget);
    }
}
