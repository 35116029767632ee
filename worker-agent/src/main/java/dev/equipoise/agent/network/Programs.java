package dev.equipoise.agent.network;

import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.function.IntFunction;

/**
 * The programs of a network by batch size. Training takes two sizes, and evaluation two, full
 * batches and the rest; where shares keep changing, the sizes of long ago make room for new ones,
 * and sooner where the programs are large.
 */
final class Programs implements AutoCloseable {
    private static final int KEPT = 4;
    private static final long MOST_BYTES = 1L << 30;

    private final SequencedMap<Integer, Program> byBatch = new LinkedHashMap<>();
    private final IntFunction<Program> compiler;
    private final long bytesPerSample;

    /**
     * Compiles each size when it is first asked for.
     *
     * @param bytesPerSample that a program takes for each sample of its batch
     */
    Programs(IntFunction<Program> compiler, long bytesPerSample) {
        this.compiler = compiler;
        this.bytesPerSample = bytesPerSample;
    }

    Program forBatch(int batch) {
        Program program = byBatch.remove(batch);
        if (program == null) {
            makeRoomFor(batch);
            program = compiler.apply(batch);
        }
        byBatch.put(batch, program); // As the youngest.
        return program;
    }

    int count() {
        return byBatch.size();
    }

    @Override
    public void close() {
        evictDownTo(0);
    }

    private void makeRoomFor(int batch) {
        evictDownTo(KEPT - 1);
        while (!byBatch.isEmpty() && bytesPerSample * (samples() + batch) > MOST_BYTES) {
            evictDownTo(byBatch.size() - 1);
        }
    }

    private long samples() {
        return byBatch.keySet().stream().mapToLong(Integer::longValue).sum();
    }

    private void evictDownTo(int count) {
        while (byBatch.size() > count) {
            byBatch.pollFirstEntry().getValue().close();
        }
    }
}
