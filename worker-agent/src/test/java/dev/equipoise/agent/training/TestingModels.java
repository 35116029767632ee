package dev.equipoise.agent.training;

import static java.util.Objects.requireNonNull;

import dev.equipoise.agent.checkpoint.ModelStore;
import dev.equipoise.protocol.InitialModel;
import dev.equipoise.protocol.ModelInstructions;
import dev.equipoise.protocol.ModelKeeping;
import dev.equipoise.protocol.ModelScore;
import dev.equipoise.protocol.RunId;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Service that stores the models of all ranks in memory. */
public final class TestingModels implements ModelStore {

    private final ModelInstructions instructions;
    private final @Nullable MemorySegment initial;
    private final List<Stored> stored = new CopyOnWriteArrayList<>();

    /**
     * A stored model.
     *
     * @param parameters checksum of the weights
     * @param weights a copy
     */
    public record Stored(int rank, ModelScore score, String parameters, MemorySegment weights) {}

    private TestingModels(ModelInstructions instructions, @Nullable MemorySegment initial) {
        this.instructions = instructions;
        this.initial = initial;
    }

    public static TestingModels keeping(
            ModelKeeping.Kept kept, ModelKeeping.WeightSource of, @Nullable ModelScore best) {
        return new TestingModels(
                new ModelInstructions(
                        new ModelKeeping(kept, of, ModelKeeping.Criterion.ACCURACY, best), null),
                null);
    }

    /** Returns a store with a model with which a run begins. */
    public static TestingModels beginningWith(Stored model) {
        var initial = new InitialModel(RunId.of(new UUID(0, 9)), "0f".repeat(32));
        return new TestingModels(new ModelInstructions(null, initial), model.weights());
    }

    public List<Stored> stored() {
        return stored;
    }

    @Override
    public ModelInstructions instructions() {
        return instructions;
    }

    @Override
    public ModelStore naming(List<String> classNames) {
        return this;
    }

    @Override
    public void store(int rank, ModelScore score, MemorySegment weights) {
        MemorySegment copy = Arena.ofAuto().allocate(weights.byteSize(), Float.BYTES);
        copy.copyFrom(weights);
        stored.add(new Stored(rank, score, WeightChecksum.of(copy), copy));
    }

    @Override
    public void loadInitial(MemorySegment weights) {
        weights.copyFrom(requireNonNull(initial));
    }
}
