package dev.equipoise.agent.replica;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A copy of weights whose loss was a finite number on every rank, made anew every so many rounds,
 * so that it costs next to nothing.
 */
final class GoodWeights {

    private static final int ROUNDS = 32;

    private final MemorySegment copy;
    private int age = ROUNDS;
    private int epoch;
    private int round;

    GoodWeights(int parameterCount, Arena arena) {
        this.copy = arena.allocate(JAVA_FLOAT, parameterCount);
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
