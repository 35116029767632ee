package dev.equipoise.agent.network;

import dev.equipoise.agent.network.Layer.Convolution;
import dev.equipoise.agent.network.Layer.Dense;
import dev.equipoise.agent.network.Layer.MaxPool;
import dev.equipoise.agent.network.Layer.Relu;
import java.util.List;

/**
 * The oracle: loss and gradient of one sample by the textbook's loops, in double precision, layer
 * by layer in the order of the architecture. Shares no arithmetic with what it checks.
 */
final class ReferenceNetwork {
    private final List<Stage> stages;
    private final double[] parameters;
    private final double[] gradient;

    ReferenceNetwork(Architecture architecture, double[] parameters) {
        this.stages = architecture.stages();
        this.parameters = parameters;
        this.gradient = new double[parameters.length];
    }

    /** The sum over all calls. */
    double[] gradient() {
        return gradient;
    }

    double loss(double[] sample, int label) {
        double[] values = sample;
        for (Stage stage : stages) {
            values = forward(stage, values);
        }
        return Math.log(sumOfExponentials(values)) - values[label];
    }

    void addGradient(double[] sample, int label) {
        double[][] inputs = new double[stages.size() + 1][];
        inputs[0] = sample;
        for (int i = 0; i < stages.size(); i++) {
            inputs[i + 1] = forward(stages.get(i), inputs[i]);
        }
        double[] scores = inputs[stages.size()];
        double[] derivative = new double[scores.length];
        for (int i = 0; i < scores.length; i++) {
            derivative[i] = Math.exp(scores[i]) / sumOfExponentials(scores) - (i == label ? 1 : 0);
        }
        for (int i = stages.size() - 1; i >= 0; i--) {
            derivative = backward(stages.get(i), inputs[i], derivative);
        }
    }

    private static double sumOfExponentials(double[] scores) {
        double sum = 0;
        for (double score : scores) {
            sum += Math.exp(score);
        }
        return sum;
    }

    private double[] forward(Stage stage, double[] in) {
        double[] out = new double[stage.output().size()];
        switch (stage.layer()) {
            case Relu _ -> {
                for (int i = 0; i < in.length; i++) {
                    out[i] = Math.max(in[i], 0);
                }
            }
            case MaxPool pool -> {
                for (int i = 0; i < out.length; i++) {
                    out[i] = in[largest(stage, pool, in, i)];
                }
            }
            case Dense _, Convolution _ -> {
                for (int i = 0; i < out.length; i++) {
                    out[i] = parameters[stage.offset() + stage.weights() + i % stage.units()];
                }
                forEachProduct(stage, (w, from, to) -> out[to] += parameters[w] * in[from]);
            }
        }
        return out;
    }

    private double[] backward(Stage stage, double[] in, double[] derivative) {
        double[] result = new double[in.length];
        switch (stage.layer()) {
            case Relu _ -> {
                for (int i = 0; i < in.length; i++) {
                    result[i] = in[i] > 0 ? derivative[i] : 0;
                }
            }
            case MaxPool pool -> {
                for (int i = 0; i < derivative.length; i++) {
                    result[largest(stage, pool, in, i)] += derivative[i];
                }
            }
            case Dense _, Convolution _ -> {
                for (int i = 0; i < derivative.length; i++) {
                    gradient[stage.offset() + stage.weights() + i % stage.units()] += derivative[i];
                }
                forEachProduct(
                        stage,
                        (w, from, to) -> {
                            gradient[w] += derivative[to] * in[from];
                            result[from] += derivative[to] * parameters[w];
                        });
            }
        }
        return result;
    }

    private static int largest(Stage stage, MaxPool pool, double[] in, int outIndex) {
        int channels = stage.output().channels();
        int channel = outIndex % channels;
        int left = outIndex / channels % stage.output().width() * pool.size();
        int top = outIndex / channels / stage.output().width() * pool.size();
        int best = (top * stage.input().width() + left) * channels + channel;
        for (int y = top; y < top + pool.size(); y++) {
            for (int x = left; x < left + pool.size(); x++) {
                int candidate = (y * stage.input().width() + x) * channels + channel;
                best = in[candidate] > in[best] ? candidate : best;
            }
        }
        return best;
    }

    /** A dense layer is a convolution whose filter is as large as the image. */
    private static void forEachProduct(Stage stage, Product product) {
        Shape in = stage.input();
        Shape out = stage.output();
        int height = in.height() - out.height() + 1;
        int width = in.width() - out.width() + 1;
        for (int place = 0; place < out.height() * out.width(); place++) {
            int weight = stage.offset();
            for (int y = 0; y < height; y++) {
                for (int x = 0; x < width; x++) {
                    for (int c = 0; c < in.channels(); c++) {
                        int row = place / out.width() + y;
                        int column = place % out.width() + x;
                        int from = (row * in.width() + column) * in.channels() + c;
                        for (int unit = 0; unit < out.channels(); unit++) {
                            product.of(weight++, from, place * out.channels() + unit);
                        }
                    }
                }
            }
        }
    }

    @FunctionalInterface
    private interface Product {
        void of(int weight, int from, int to);
    }
}
