package dev.equipoise.agent.codec;

import java.lang.foreign.MemorySegment;

/**
 * The words by which a rank chooses rows: those that its mini-batches had until it last began to
 * tell of them. What it sees from then on waits for the next time.
 *
 * <p>The thread that trains sees and turns over; what was turned over may be used on another until
 * it does so again.
 */
public final class Words {

    private final int inputs;

    /** Inputs, and behind them labels. */
    private Bitmap seen = new Bitmap();

    private Bitmap told = new Bitmap();
    private final Bitmap others = new Bitmap();

    /**
     * @param inputs words that may be put in
     * @param labels words that may be predicted
     */
    public Words(int inputs, int labels) {
        this.inputs = inputs;
        seen.reset(inputs + labels);
        told.reset(inputs + labels);
        others.reset(inputs + labels);
    }

    /** A word was put in. */
    public void seeInput(int word) {
        seen.set(word);
    }

    /** A word was to be predicted. */
    public void seeLabel(int word) {
        seen.set(inputs + word);
    }

    /** From here on it is told of what was seen until now, and of nothing before. */
    public void turnOver() {
        Bitmap last = told;
        told = seen;
        seen = last;
        seen.reset(told.size());
    }

    /** As if nothing had been seen. */
    public void forget() {
        seen.reset(seen.size());
        told.reset(told.size());
    }

    /** The bytes that {@link #write} may need. */
    public long mostBytes() {
        return (long) Integer.BYTES + told.size();
    }

    /** Writes what is told; returns how many bytes it takes. */
    public long write(MemorySegment room) {
        return IndexCoding.DELTA_VARINT.write(told, told.count(), room);
    }

    /**
     * Tells of what another rank has written as well.
     *
     * @throws FrameCorrupt if that cannot be
     */
    public void tellAlso(MemorySegment written) {
        others.reset(told.size());
        long bytes = IndexCoding.DELTA_VARINT.read(written, others);
        if (bytes != written.byteSize()) {
            throw FrameCorrupt.of("the words must take " + bytes, written.byteSize(), 0);
        }
        told.addAll(others);
    }

    /** The words that were put in. */
    public RowChoice inputs() {
        return (_, rows) -> addTo(rows, 0, inputs);
    }

    /** The words that were to be predicted. */
    public RowChoice labels() {
        return (_, rows) -> addTo(rows, inputs, told.size());
    }

    private void addTo(Bitmap rows, int from, int end) {
        for (int i = told.next(from); i < end; i = told.next(i + 1)) {
            rows.set(i - from);
        }
    }
}
