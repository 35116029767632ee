package dev.equipoise.agent.network;

import dev.equipoise.agent.network.step.Activation;
import dev.equipoise.agent.network.step.Binding;
import dev.equipoise.agent.network.step.Compiler;
import dev.equipoise.agent.network.step.Step;
import dev.equipoise.agent.network.step.Tensor;
import dev.equipoise.agent.network.step.Weights;
import dev.equipoise.protocol.network.Layer.AveragePool;
import dev.equipoise.protocol.network.Layer.Convolution;
import dev.equipoise.protocol.network.Layer.Dense;
import dev.equipoise.protocol.network.Layer.Dropout;
import dev.equipoise.protocol.network.Layer.Elementwise;
import dev.equipoise.protocol.network.Layer.Embedding;
import dev.equipoise.protocol.network.Layer.Flatten;
import dev.equipoise.protocol.network.Layer.MaxPool;
import dev.equipoise.protocol.network.Shape.Sequence;
import dev.equipoise.protocol.network.Stage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Builds the steps of a program, layer after layer. */
final class ProgramBuilder {
    private final Arena arena;
    private final Compiler compiler;
    private final Input input;
    private final Tensor parameters;
    private final Tensor gradient;
    private final SplitMix64 draws;
    private final List<Step> steps = new ArrayList<>();

    /** First byte of the weights of a step in the flat gradient, for steps with weights. */
    private final Map<Integer, Long> offsets = new HashMap<>();

    private @Nullable Activation last;
    private Program.Sums sums = new Program.Sums(0, MemorySegment.NULL);

    /** Whether the next layer may overwrite the last output. */
    private boolean overwritable;

    ProgramBuilder(
            Arena arena,
            Compiler compiler,
            Input input,
            Tensor parameters,
            Tensor gradient,
            SplitMix64 draws) {
        this.arena = arena;
        this.compiler = compiler;
        this.input = input;
        this.parameters = parameters;
        this.gradient = gradient;
        this.draws = draws;
        this.last = input instanceof Input.Values(Activation samples) ? samples : null;
    }

    Step[] steps() {
        return steps.toArray(Step[]::new);
    }

    /** Returns the first byte of each step's weights in the flat gradient; -1 without weights. */
    long[] offsets() {
        return IntStream.range(0, steps.size())
                .mapToLong(step -> offsets.getOrDefault(step, -1L))
                .toArray();
    }

    /** Returns the output of the last layer with weights. */
    Program.Sums sums() {
        return sums;
    }

    Activation scores() {
        return last();
    }

    void add(Fusion fusion) {
        Stage stage = fusion.stage();
        switch (stage.layer()) {
            case Embedding _ -> addEmbedding(stage);
            case Flatten _ -> addFlatten(stage);
            case Dropout layer -> {
                Activation out = elementwise(stage);
                steps.add(new DropoutStep(layer, last(), out, draws));
                setLast(out, overwritable);
            }
            case Elementwise _ -> {
                Activation out = elementwise(stage);
                steps.add(compiler.step(bind(stage, out, fusion.fused())));
                setLast(out, false);
            }
            default -> {
                Activation out = Activation.allocate(arena, last().batch(), stage.output());
                steps.add(compiler.step(bind(stage, out, fusion.fused())));
                setLast(out, neverReadsItsOutput(stage));
            }
        }
        if (stage.units() > 0) {
            offsets.put(steps.size() - 1, (long) Float.BYTES * stage.offset());
            sums = new Program.Sums(steps.size(), last().value().memory());
        }
    }

    private void addEmbedding(Stage stage) {
        if (!(input instanceof Input.Words words)) {
            throw new IllegalStateException("an embedding must be the first layer: " + stage);
        }
        int batch = words.count() / stage.input().size();
        Activation out = Activation.allocate(arena, batch, stage.output());
        steps.add(new EmbeddingStep(weights(stage), words, out));
        setLast(out, true);
    }

    /** Flattening moves data only in a sequence, whose samples are not contiguous. */
    private void addFlatten(Stage stage) {
        if (stage.input() instanceof Sequence sequence) {
            Activation out = Activation.allocate(arena, last().batch(), stage.output());
            steps.add(new FlattenStep(sequence, last(), out));
            setLast(out, true);
        } else {
            last = last().as(stage.output());
        }
    }

    /** Reuses the last output unless the layer before reads it again. */
    private Activation elementwise(Stage stage) {
        return overwritable ? last() : Activation.allocate(arena, last().batch(), stage.output());
    }

    private static boolean neverReadsItsOutput(Stage stage) {
        return switch (stage.layer()) {
            case Dense _, Convolution _, MaxPool _, AveragePool _ -> true;
            default -> false;
        };
    }

    private Binding bind(Stage stage, Activation out, boolean fused) {
        return new Binding(arena, weights(stage), last(), out, fused);
    }

    private Weights weights(Stage stage) {
        return new Weights(stage, parameters, gradient);
    }

    private void setLast(Activation out, boolean mayOverwrite) {
        last = out;
        overwritable = mayOverwrite;
    }

    private Activation last() {
        if (last == null) {
            throw new IllegalStateException("the first layer over words must be an embedding");
        }
        return last;
    }
}
