package dev.equipoise.agent.replica;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A copy of weights whose loss was a finite number, made anew every so many rounds, so that it
 * costs next to nothing. Replicas of one process may share it: then it is now one's, now another's.
 */
final class GoodWeights {

    private static final int ROUNDS = 32;

    private final MemorySegment copy;
    private final Keeper keeper;
    private int age = ROUNDS;
    private int epoch;
    private int round;

    GoodWeights(int parameterCount, Arena arena, Keeper keeper) {
        this.copy = arena.allocate(JAVA_FLOAT, parameterCount);
        this.keeper = keeper;
    }

    /** What becomes of them when a training has diverged. */
    @FunctionalInterface
    interface Keeper {

        /** What was done with the weights, for a message. */
        String kept(int rank, GoodWeights weights);
    }

    /** The weights with which this round began have turned out to be good. */
    void wereGood(MemorySegment parameters, int ofEpoch, int ofRound) {
        age++;
        if (age >= ROUNDS) {
            copy.copyFrom(parameters);
            epoch = ofEpoch;
            round = ofRound;
            age = 0;
        }
    }

    /** The training has diverged on this rank. */
    String kept(int rank) {
        return keeper.kept(rank, this);
    }

    /** Whether there were any. */
    boolean exist() {
        return round > 0;
    }

    MemorySegment copy() {
        return copy;
    }

    /** The round that began with them. */
    String position() {
        return "epoch %d, round %d".formatted(epoch, round);
    }
}
