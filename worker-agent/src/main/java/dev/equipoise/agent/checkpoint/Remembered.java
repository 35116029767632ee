package dev.equipoise.agent.checkpoint;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Where all is that a rank remembers from one epoch to the next: whoever takes a copy of it can go
 * on from there, anywhere. Whoever remembers something enters it when it is made, so that the order
 * is the same wherever the plan is. The rank's own thread uses it.
 */
public final class Remembered {

    private final List<MemorySegment> vectors = new ArrayList<>();
    private final List<MemorySegment> residuals = new ArrayList<>();
    private final List<Counter> numbers = new ArrayList<>();

    private record Counter(LongSupplier value, LongConsumer goOn) {}

    /** Float32, of which a rank that joins later takes that of another: weights, momentum. */
    public void vector(MemorySegment vector) {
        vectors.add(vector);
    }

    /** Float32 that has been left out so far: a rank that joins later has left out nothing. */
    public void residual(MemorySegment vector) {
        residuals.add(vector);
    }

    /**
     * Something that is counted, or drawn.
     *
     * @param goOn takes the value from which it goes on
     */
    public void number(LongSupplier value, LongConsumer goOn) {
        numbers.add(new Counter(value, goOn));
    }

    public List<MemorySegment> vectors() {
        return List.copyOf(vectors);
    }

    public List<MemorySegment> residuals() {
        return List.copyOf(residuals);
    }

    /** How many are counted. */
    public int count() {
        return numbers.size();
    }

    /** Writes the numbers as they are now; allocates nothing. */
    public void count(long[] room) {
        for (int i = 0; i < numbers.size(); i++) {
            room[i] = numbers.get(i).value().getAsLong();
        }
    }

    /** Goes on from other numbers, of which there must be as many. */
    public void goOnFrom(long[] others) {
        if (others.length != numbers.size()) {
            throw new IllegalArgumentException(
                    "there must be %d numbers, but were %d"
                            .formatted(numbers.size(), others.length));
        }
        for (int i = 0; i < others.length; i++) {
            numbers.get(i).goOn().accept(others[i]);
        }
    }
}
