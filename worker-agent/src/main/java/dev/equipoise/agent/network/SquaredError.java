package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.network.step.Activation;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Squared error: half the squared distance between the scores and the target of the label. */
final class SquaredError implements Prediction {
    private final int rows;
    private final int units;
    private final float scale;
    private final TargetCode targets;
    private final MemorySegment scores;
    private final MemorySegment gradient;

    SquaredError(Activation activation, float scale, TargetCode targets) {
        this.rows = activation.rows();
        this.units = activation.columns();
        this.scale = scale;
        this.targets = targets;
        this.scores = activation.value().memory();
        this.gradient = activation.wantedGradient().memory();
    }

    @Override
    public double gradient(int[] labels) {
        double sum = 0;
        for (int row = 0; row < rows; row++) {
            int label = Objects.checkIndex(labels[row], targets.classes());
            long start = (long) row * units;
            for (int unit = 0; unit < units; unit++) {
                float error = scores.getAtIndex(JAVA_FLOAT, start + unit) - targets.at(label, unit);
                gradient.setAtIndex(JAVA_FLOAT, start + unit, scale * error);
            }
            sum += loss(row, label);
        }
        return sum / rows;
    }

    @Override
    public Score score(int[] labels) {
        int correct = 0;
        double sum = 0;
        for (int row = 0; row < rows; row++) {
            sum += loss(row, Objects.checkIndex(labels[row], targets.classes()));
            correct += targets.nearest(scores, (long) row * units) == labels[row] ? 1 : 0;
        }
        return new Score(rows, correct, sum);
    }

    private double loss(int row, int label) {
        double sum = 0;
        for (int unit = 0; unit < units; unit++) {
            double error =
                    scores.getAtIndex(JAVA_FLOAT, (long) row * units + unit)
                            - targets.at(label, unit);
            sum += error * error;
        }
        return sum / 2;
    }
}
