package dev.equipoise.agent.checkpoint;

import dev.equipoise.protocol.ModelInstructions;
import dev.equipoise.protocol.ModelScore;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Store of the trained model of one run, and of the model with which the run begins. */
public interface ModelStore {

    ModelInstructions instructions();

    /**
     * Returns this store for a data set of a user's own, whose models name its classes.
     *
     * @param classNames in the order of the labels; empty if the data set has none
     */
    ModelStore naming(List<String> classNames);

    /**
     * Stores the model of a rank; a failure is only logged. Any thread may call it.
     *
     * @param weights the flat parameter vector, which must not change meanwhile
     */
    void store(int rank, ModelScore score, MemorySegment weights) throws InterruptedException;

    /**
     * Overwrites weights with those of the model with which the run begins.
     *
     * @throws RuntimeException which fails the assignment, when the model cannot be read or is of
     *     another network
     */
    void loadInitial(MemorySegment weights) throws InterruptedException;
}
