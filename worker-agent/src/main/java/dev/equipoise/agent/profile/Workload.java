package dev.equipoise.agent.profile;

/** A kernel together with the memory on which it works. */
interface Workload extends AutoCloseable {

    /** One execution at a size; valid until another size is asked for. */
    Runnable at(int size);

    @Override
    void close();
}
