package dev.equipoise.agent.network;

import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.function.IntFunction;

/**
 * The programs of a network by batch size. Training takes two sizes, and evaluation two, full
 * batches and the rest; where shares keep changing, the sizes of long ago make room for new ones.
 */
final class Programs implements AutoCloseable {
    private static final int KEPT = 4;

    private final SequencedMap<Integer, Program> byBatch = new LinkedHashMap<>();
    private final IntFunction<Program> compiler;

    Programs(IntFunction<Program> compiler) {
        this.compiler = compiler;
    }

    Program forBatch(int batch) {
        Program program = byBatch.remove(batch);
        if (program == null) {
            evictDownTo(KEPT - 1);
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

    private void evictDownTo(int count) {
        while (byBatch.size() > count) {
            byBatch.pollFirstEntry().getValue().close();
        }
    }
}
