package dev.equipoise.agent.codec;

import java.lang.foreign.MemorySegment;

/**
 * Collects the touched rows of a rank: the words of its mini-batches, by which it chooses the rows
 * to send. A rank sends the words that it had touched at the last swap ({@link #swap}); words that
 * it touches afterwards wait for the next swap.
 *
 * <p>The training thread adds words and swaps; another thread may use the swapped words until the
 * next swap.
 */
public final class TouchedRows {

    private final int inputs;

    /** The words touched since the last swap: inputs, and behind them labels. */
    private Bitmap collecting = new Bitmap();

    private Bitmap sending = new Bitmap();
    private final Bitmap received = new Bitmap();

    /**
     * @param inputs number of possible input words
     * @param labels number of possible predicted words
     */
    public TouchedRows(int inputs, int labels) {
        this.inputs = inputs;
        collecting.reset(inputs + labels);
        sending.reset(inputs + labels);
        received.reset(inputs + labels);
    }

    /** Adds an input word. */
    public void addInput(int word) {
        collecting.set(word);
    }

    /** Adds a word to be predicted. */
    public void addLabel(int word) {
        collecting.set(inputs + word);
    }

    /** Swaps: from now on the words touched since the last swap are sent, and no earlier ones. */
    public void swap() {
        Bitmap previous = sending;
        sending = collecting;
        collecting = previous;
        collecting.reset(sending.size());
    }

    /** Returns the number of blocks of 64 rows. */
    public int blocks() {
        return collecting.wordCount();
    }

    /** Returns which rows of a block were touched since the last swap, a bit each. */
    public long touched(int block) {
        return collecting.words()[block];
    }

    /** Restores which rows of a block were touched since the last swap. */
    public void restore(int block, long touched) {
        collecting.words()[block] = touched;
    }

    /** Returns the largest number of bytes that {@link #write} needs. */
    public long mostBytes() {
        return (long) Integer.BYTES + sending.size();
    }

    /** Writes the words to send; returns the number of bytes. */
    public long write(MemorySegment buffer) {
        return IndexCoding.DELTA_VARINT.write(sending, sending.count(), buffer);
    }

    /**
     * Adds the words that another rank has written to the words to send.
     *
     * @throws FrameCorrupt if the bytes cannot come from {@link #write}
     */
    public void merge(MemorySegment written) {
        received.reset(sending.size());
        long bytes = IndexCoding.DELTA_VARINT.read(written, received);
        if (bytes != written.byteSize()) {
            throw FrameCorrupt.of(
                    "the bytes of the touched rows must be " + bytes, written.byteSize(), 0);
        }
        sending.addAll(received);
    }

    /** Chooses the rows of the input words. */
    public RowSelection inputs() {
        return (_, rows) -> addTo(rows, 0, inputs);
    }

    /** Chooses the rows of the predicted words. */
    public RowSelection labels() {
        return (_, rows) -> addTo(rows, inputs, sending.size());
    }

    private void addTo(Bitmap rows, int from, int end) {
        for (int i = sending.next(from); i < end; i = sending.next(i + 1)) {
            rows.set(i - from);
        }
    }
}
