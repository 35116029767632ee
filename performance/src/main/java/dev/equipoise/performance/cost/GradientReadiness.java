package dev.equipoise.performance.cost;

import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer;
import dev.equipoise.protocol.network.Shape;
import dev.equipoise.protocol.network.Stage;
import java.util.ArrayList;
import java.util.List;

/**
 * Estimates when the backward pass of a training step completes the gradient of a layer
 * (docs/algorithms.md, section 3.3). The estimate counts multiplications with an addition: a layer
 * needs its work once forward and twice backward, for the gradients of its weights and of its
 * inputs. The first layer with weights needs it once backward, since samples have no gradient, and
 * layers before it have no backward pass.
 *
 * @param offset first byte of the layer in the flat gradient
 * @param fraction of the time of the step after which all bytes from {@code offset} on are
 *     complete, above 0 and at most 1
 */
public record GradientReadiness(long offset, double fraction) {

    /** Estimates all layers with weights, from the last one, which is complete first. */
    public static List<GradientReadiness> of(Architecture architecture) {
        List<Stage> stages = architecture.stages();
        int first = firstWithWeights(stages);
        double work = stages.stream().mapToDouble(GradientReadiness::work).sum();
        List<GradientReadiness> worked = new ArrayList<>();
        for (int i = stages.size() - 1; i >= first; i--) {
            Stage stage = stages.get(i);
            work += (i == first ? 1 : 2) * work(stage);
            if (stage.units() > 0) {
                worked.add(new GradientReadiness((long) Float.BYTES * stage.offset(), work));
            }
        }
        double total = work;
        return worked.stream()
                .map(it -> new GradientReadiness(it.offset, it.fraction / total))
                .toList();
    }

    private static int firstWithWeights(List<Stage> stages) {
        int first = 0;
        while (first < stages.size() && stages.get(first).units() == 0) {
            first++;
        }
        return first;
    }

    /** Returns the work of a sample in one direction; an embedding copies rows. */
    private static double work(Stage stage) {
        if (stage.layer() instanceof Layer.Embedding) {
            return stage.output().size();
        }
        return stage.units() == 0
                ? stage.input().size()
                : (double) stage.weights() * positions(stage.output());
    }

    private static int positions(Shape output) {
        return switch (output) {
            case Shape.Image image -> image.size() / image.channels();
            case Shape.Sequence sequence -> sequence.length();
            case Shape.Vector _, Shape.Tokens _ -> 1;
        };
    }
}
