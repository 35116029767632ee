package dev.equipoise.agent.network;

import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.function.IntFunction;

/**
 * Cache of a network's programs by batch size. Training and evaluation take two sizes each: full
 * batches and the rest. When shares keep changing, the least recently used programs are closed, and
 * sooner if programs are large.
 */
final class Programs implements AutoCloseable {
    private static final int MAX_PROGRAMS = 4;
    private static final long MAX_BYTES = 1L << 30;

    private final SequencedMap<Integer, Program> byBatch = new LinkedHashMap<>();
    private final IntFunction<Program> compiler;
    private final long bytesPerSample;

    /**
     * Compiles each size on first use.
     *
     * @param bytesPerSample bytes of a program for each sample of its batch
     */
    Programs(IntFunction<Program> compiler, long bytesPerSample) {
        this.compiler = compiler;
        this.bytesPerSample = bytesPerSample;
    }

    Program forBatch(int batch) {
        Program program = byBatch.remove(batch);
        if (program == null) {
            evictFor(batch);
            program = compiler.apply(batch);
        }
        byBatch.put(batch, program); // The most recently used.
        return program;
    }

    int count() {
        return byBatch.size();
    }

    @Override
    public void close() {
        evictDownTo(0);
    }

    private void evictFor(int batch) {
        evictDownTo(MAX_PROGRAMS - 1);
        while (!byBatch.isEmpty() && bytesPerSample * (samples() + batch) > MAX_BYTES) {
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
