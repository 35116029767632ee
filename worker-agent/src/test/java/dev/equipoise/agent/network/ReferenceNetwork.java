package dev.equipoise.agent.network;

import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer.AveragePool;
import dev.equipoise.protocol.network.Layer.Convolution;
import dev.equipoise.protocol.network.Layer.Dense;
import dev.equipoise.protocol.network.Layer.Dropout;
import dev.equipoise.protocol.network.Layer.Embedding;
import dev.equipoise.protocol.network.Layer.Flatten;
import dev.equipoise.protocol.network.Layer.Lstm;
import dev.equipoise.protocol.network.Layer.MaxPool;
import dev.equipoise.protocol.network.Layer.Relu;
import dev.equipoise.protocol.network.Layer.Rnn;
import dev.equipoise.protocol.network.Layer.Sigmoid;
import dev.equipoise.protocol.network.Layer.Tanh;
import dev.equipoise.protocol.network.Loss;
import dev.equipoise.protocol.network.Shape.Image;
import dev.equipoise.protocol.network.Stage;
import dev.equipoise.protocol.network.Window;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/**
 * Oracle: loss and gradient of one sample by textbook loops in double precision, layer by layer in
 * the order of the architecture. It shares no arithmetic with the code under test. Its dropout
 * drops nothing.
 */
final class ReferenceNetwork {
    private final List<Stage> stages;
    private final int scores;
    private final Objective objective;
    private final double[] parameters;
    private final double[] gradient;

    ReferenceNetwork(Architecture architecture, Objective objective, double[] parameters) {
        this.stages = architecture.stages();
        this.scores = architecture.scores();
        this.objective = objective;
        this.parameters = parameters;
        this.gradient = new double[parameters.length];
    }

    /** Returns the sum over all calls. */
    double[] gradient() {
        return gradient;
    }

    /** Returns the sum over the positions of a sample. */
    double loss(double[] sample, int[] labels) {
        double[] values = sample;
        for (Stage stage : stages) {
            values = forward(stage, values);
        }
        double sum = 0;
        for (int position = 0; position < labels.length; position++) {
            sum += loss(values, position * scores, labels[position]);
        }
        return sum;
    }

    void addGradient(double[] sample, int[] labels) {
        double[][] inputs = new double[stages.size() + 1][];
        inputs[0] = sample;
        for (int i = 0; i < stages.size(); i++) {
            inputs[i + 1] = forward(stages.get(i), inputs[i]);
        }
        double[] outputs = inputs[stages.size()];
        double[] derivative = new double[outputs.length];
        for (int position = 0; position < labels.length; position++) {
            derive(outputs, position * scores, labels[position], derivative);
        }
        for (int i = stages.size() - 1; i >= 0; i--) {
            derivative = backward(stages.get(i), inputs[i], inputs[i + 1], derivative);
        }
    }

    private double loss(double[] values, int start, int label) {
        if (objective.loss().kind() == Loss.Kind.SQUARED_ERROR) {
            double sum = 0;
            for (int i = 0; i < scores; i++) {
                double error = values[start + i] - objective.targets().at(label, i);
                sum += error * error / 2;
            }
            return sum;
        }
        return Math.log(sumOfExponentials(values, start)) - values[start + label];
    }

    private void derive(double[] values, int start, int label, double[] derivative) {
        for (int i = 0; i < scores; i++) {
            derivative[start + i] =
                    objective.loss().kind() == Loss.Kind.SQUARED_ERROR
                            ? values[start + i] - objective.targets().at(label, i)
                            : Math.exp(values[start + i]) / sumOfExponentials(values, start)
                                    - (i == label ? 1 : 0);
        }
    }

    private double sumOfExponentials(double[] values, int start) {
        double sum = 0;
        for (int i = start; i < start + scores; i++) {
            sum += Math.exp(values[i]);
        }
        return sum;
    }

    private double[] forward(Stage stage, double[] in) {
        double[] out = new double[stage.output().size()];
        switch (stage.layer()) {
            case Flatten _, Dropout _ -> System.arraycopy(in, 0, out, 0, in.length);
            case Relu _ -> setAll(out, i -> Math.max(in[i], 0));
            case Sigmoid _ -> setAll(out, i -> sigmoid(in[i]));
            case Tanh _ -> setAll(out, i -> Math.tanh(in[i]));
            case MaxPool layer ->
                    setAll(out, i -> in[largest(new View(stage, layer.window()), in, i)]);
            case AveragePool layer -> {
                View view = new View(stage, layer.window());
                setAll(
                        out,
                        i ->
                                view.covered(i).stream()
                                        .mapToDouble(j -> in[j])
                                        .average()
                                        .orElseThrow());
            }
            case Embedding(int features) ->
                    setAll(
                            out,
                            i -> parameters[weight(stage, (int) in[i / features], i % features)]);
            case Dense _, Convolution _ -> {
                setAll(out, i -> parameters[bias(stage, i % stage.units())]);
                forEachProduct(stage, (w, from, to) -> out[to] += parameters[w] * in[from]);
            }
            case Rnn(int units) -> {
                for (int t = 0; t < positions(stage); t++) {
                    double[] sums = recurrentSums(stage, in, out, t, units);
                    for (int u = 0; u < units; u++) {
                        out[t * units + u] = Math.tanh(sums[u]);
                    }
                }
            }
            case Lstm(int units) -> {
                double[] cells = new double[out.length];
                for (int t = 0; t < positions(stage); t++) {
                    double[] gates = gates(stage, in, out, t, units);
                    for (int u = 0; u < units; u++) {
                        double before = t == 0 ? 0 : cells[(t - 1) * units + u];
                        int at = t * units + u;
                        cells[at] = gates[units + u] * before + gates[u] * gates[2 * units + u];
                        out[at] = gates[3 * units + u] * Math.tanh(cells[at]);
                    }
                }
            }
        }
        return out;
    }

    private double[] backward(Stage stage, double[] in, double[] out, double[] derivative) {
        double[] result = new double[in.length];
        switch (stage.layer()) {
            case Flatten _, Dropout _ -> System.arraycopy(derivative, 0, result, 0, in.length);
            case Relu _ -> setAll(result, i -> in[i] > 0 ? derivative[i] : 0);
            case Sigmoid _ -> setAll(result, i -> derivative[i] * out[i] * (1 - out[i]));
            case Tanh _ -> setAll(result, i -> derivative[i] * (1 - out[i] * out[i]));
            case MaxPool layer -> {
                View view = new View(stage, layer.window());
                for (int i = 0; i < out.length; i++) {
                    result[largest(view, in, i)] += derivative[i];
                }
            }
            case AveragePool layer -> {
                View view = new View(stage, layer.window());
                for (int i = 0; i < out.length; i++) {
                    List<Integer> covered = view.covered(i);
                    for (int j : covered) {
                        result[j] += derivative[i] / covered.size();
                    }
                }
            }
            case Embedding(int features) -> {
                for (int i = 0; i < out.length; i++) {
                    int word = (int) in[i / features];
                    gradient[weight(stage, word, i % features)] += derivative[i];
                }
            }
            case Dense _, Convolution _ -> {
                for (int i = 0; i < derivative.length; i++) {
                    gradient[bias(stage, i % stage.units())] += derivative[i];
                }
                forEachProduct(
                        stage,
                        (w, from, to) -> {
                            gradient[w] += derivative[to] * in[from];
                            result[from] += derivative[to] * parameters[w];
                        });
            }
            case Rnn(int units) -> backThroughTime(stage, in, out, derivative, result, units);
            case Lstm(int units) -> backThroughGates(stage, in, out, derivative, result, units);
        }
        return result;
    }

    private void backThroughTime(
            Stage stage,
            double[] in,
            double[] out,
            double[] derivative,
            double[] result,
            int units) {
        double[] byState = derivative.clone();
        for (int t = positions(stage) - 1; t >= 0; t--) {
            double[] bySum = new double[units];
            for (int u = 0; u < units; u++) {
                double h = out[t * units + u];
                bySum[u] = byState[t * units + u] * (1 - h * h);
            }
            spread(stage, in, out, t, units, bySum, result, byState);
        }
    }

    private void backThroughGates(
            Stage stage,
            double[] in,
            double[] out,
            double[] derivative,
            double[] result,
            int units) {
        double[][] gates = new double[positions(stage)][];
        double[] cells = new double[out.length];
        for (int t = 0; t < gates.length; t++) {
            gates[t] = gates(stage, in, out, t, units);
            for (int u = 0; u < units; u++) {
                double before = t == 0 ? 0 : cells[(t - 1) * units + u];
                cells[t * units + u] =
                        gates[t][units + u] * before + gates[t][u] * gates[t][2 * units + u];
            }
        }
        double[] byState = derivative.clone();
        double[] byCell = new double[units];
        for (int t = gates.length - 1; t >= 0; t--) {
            double[] bySum = new double[4 * units];
            for (int u = 0; u < units; u++) {
                double i = gates[t][u];
                double f = gates[t][units + u];
                double g = gates[t][2 * units + u];
                double o = gates[t][3 * units + u];
                double squashed = Math.tanh(cells[t * units + u]);
                double h = byState[t * units + u];
                byCell[u] += h * o * (1 - squashed * squashed);
                double before = t == 0 ? 0 : cells[(t - 1) * units + u];
                bySum[u] = byCell[u] * g * i * (1 - i);
                bySum[units + u] = byCell[u] * before * f * (1 - f);
                bySum[2 * units + u] = byCell[u] * i * (1 - g * g);
                bySum[3 * units + u] = h * squashed * o * (1 - o);
                byCell[u] *= f;
            }
            spread(stage, in, out, t, units, bySum, result, byState);
        }
    }

    /**
     * Propagates the gradient from the sums at a position to weights, inputs and the previous
     * state.
     */
    private void spread(
            Stage stage,
            double[] in,
            double[] out,
            int t,
            int units,
            double[] bySum,
            double[] result,
            double[] byState) {
        int features = stage.features();
        for (int column = 0; column < bySum.length; column++) {
            gradient[bias(stage, column)] += bySum[column];
            for (int row = 0; row < features; row++) {
                int w = weight(stage, row, column);
                gradient[w] += bySum[column] * in[t * features + row];
                result[t * features + row] += bySum[column] * parameters[w];
            }
            for (int row = 0; t > 0 && row < units; row++) {
                int w = weight(stage, features + row, column);
                gradient[w] += bySum[column] * out[(t - 1) * units + row];
                byState[(t - 1) * units + row] += bySum[column] * parameters[w];
            }
        }
    }

    /** Returns the gates: input, forget, cell, output. */
    private double[] gates(Stage stage, double[] in, double[] out, int t, int units) {
        double[] gates = recurrentSums(stage, in, out, t, units);
        for (int i = 0; i < gates.length; i++) {
            gates[i] = i / units == 2 ? Math.tanh(gates[i]) : sigmoid(gates[i]);
        }
        return gates;
    }

    private double[] recurrentSums(Stage stage, double[] in, double[] out, int t, int units) {
        int features = stage.features();
        double[] sums = new double[stage.units()];
        for (int column = 0; column < sums.length; column++) {
            sums[column] = parameters[bias(stage, column)];
            for (int row = 0; row < features; row++) {
                sums[column] += in[t * features + row] * parameters[weight(stage, row, column)];
            }
            for (int row = 0; t > 0 && row < units; row++) {
                sums[column] +=
                        out[(t - 1) * units + row]
                                * parameters[weight(stage, features + row, column)];
            }
        }
        return sums;
    }

    private static int weight(Stage stage, int row, int column) {
        return stage.offset() + row * stage.units() + column;
    }

    private static int bias(Stage stage, int column) {
        return stage.offset() + stage.weights() + column;
    }

    private static int positions(Stage stage) {
        return stage.input().size() / stage.features();
    }

    private static double sigmoid(double x) {
        return 1 / (1 + Math.exp(-x));
    }

    private static int largest(View view, double[] in, int outIndex) {
        return view.covered(outIndex).stream()
                .reduce((best, next) -> in[next] > in[best] ? next : best)
                .orElseThrow();
    }

    private static void forEachProduct(Stage stage, Product product) {
        int units = stage.units();
        if (stage.layer() instanceof Convolution convolution) {
            View view = new View(stage, convolution.window());
            for (int position = 0; position < stage.output().size() / units; position++) {
                int at = position;
                view.forEachTap(position, (tap, pixel) -> connect(stage, tap, pixel, at, product));
            }
            return;
        }
        for (int position = 0; position < positions(stage); position++) {
            connect(stage, 0, position, position, product);
        }
    }

    /**
     * Connects all channels of a pixel, under one tap of the filter, with all units of a position.
     */
    private static void connect(Stage stage, int tap, int pixel, int position, Product product) {
        for (int channel = 0; channel < stage.features(); channel++) {
            for (int unit = 0; unit < stage.units(); unit++) {
                product.of(
                        weight(stage, tap * stage.features() + channel, unit),
                        pixel * stage.features() + channel,
                        position * stage.units() + unit);
            }
        }
    }

    private static void setAll(double[] values, IntToDoubleFunction of) {
        Arrays.setAll(values, of);
    }

    /** Window over an image. */
    private record View(Image in, Image out, Window window) {

        View(Stage stage, Window window) {
            this((Image) stage.input(), (Image) stage.output(), window);
        }

        /** Returns the indices of all covered values of the same channel. */
        List<Integer> covered(int outIndex) {
            int channel = outIndex % in.channels();
            List<Integer> covered = new ArrayList<>();
            forEachTap(
                    outIndex / in.channels(),
                    (_, pixel) -> covered.add(pixel * in.channels() + channel));
            return covered;
        }

        void forEachTap(int position, Tap tap) {
            int top = position / out.width() * window.stride() - window.padding();
            int left = position % out.width() * window.stride() - window.padding();
            for (int y = 0; y < window.size(); y++) {
                for (int x = 0; x < window.size(); x++) {
                    boolean inside =
                            top + y >= 0
                                    && top + y < in.height()
                                    && left + x >= 0
                                    && left + x < in.width();
                    if (inside) {
                        tap.at(y * window.size() + x, (top + y) * in.width() + left + x);
                    }
                }
            }
        }
    }

    @FunctionalInterface
    private interface Tap {
        void at(int tap, int pixel);
    }

    @FunctionalInterface
    private interface Product {
        void of(int weight, int from, int to);
    }
}
