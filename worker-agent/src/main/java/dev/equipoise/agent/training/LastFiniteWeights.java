package dev.equipoise.agent.training;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Keeps a copy of weights with a finite loss, renewed every 32 rounds, so that it costs next to
 * nothing. Replicas of one process may share it; it then holds the weights of any of them.
 */
public final class LastFiniteWeights {

    private static final int ROUNDS = 32;

    private final MemorySegment copy;
    private final Keeper keeper;
    private int age = ROUNDS;
    private int epoch;
    private int round;

    LastFiniteWeights(int parameterCount, Arena arena, Keeper keeper) {
        this.copy = arena.allocate(JAVA_FLOAT, parameterCount);
        this.keeper = keeper;
    }

    /** Handles the weights of a diverged training. */
    @FunctionalInterface
    interface Keeper {

        /** Stores the weights; returns the result for a message. */
        String store(int rank, LastFiniteWeights weights);
    }

    /**
     * Takes over the weights at the beginning of a round, which have a finite loss, if the copy is
     * old enough.
     */
    void update(MemorySegment parameters, int ofEpoch, int ofRound) {
        age++;
        if (age >= ROUNDS) {
            copy.copyFrom(parameters);
            epoch = ofEpoch;
            round = ofRound;
            age = 0;
        }
    }

    /** Stores the weights after this rank has diverged; returns the result for a message. */
    String store(int rank) {
        return keeper.store(rank, this);
    }

    /** Returns whether there are such weights. */
    boolean exist() {
        return round > 0;
    }

    MemorySegment copy() {
        return copy;
    }

    /** Returns the round that began with the weights. */
    String position() {
        return "epoch %d, round %d".formatted(epoch, round);
    }
}
