package dev.equipoise.agent.profile;

/** Kernel with the memory on which it works. */
interface Workload extends AutoCloseable {

    /** Returns an execution at a size; valid until the next call. */
    Runnable at(int size);

    @Override
    void close();
}
