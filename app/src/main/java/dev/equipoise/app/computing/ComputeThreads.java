package dev.equipoise.app.computing;

import org.springframework.stereotype.Component;

/** Creates compute threads. Simulation tests substitute threads that block their caller. */
@Component
public class ComputeThreads {

    /**
     * Creates the thread for one kind of computation.
     *
     * @param maxWaiting limit of computations that wait behind the running one
     */
    public ComputeThread create(String name, int maxWaiting) {
        return new ComputeThread(name, maxWaiting);
    }
}
