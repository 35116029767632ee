package dev.equipoise.app.computing;

import org.springframework.stereotype.Component;

/**
 * Creates the threads that compute in the background. The simulation substitutes one that blocks.
 */
@Component
public class ComputingThreads {

    /**
     * A thread of its own for one kind of computation.
     *
     * @param mostWaiting how many computations may stand behind the one that runs
     */
    public ComputingThread create(String name, int mostWaiting) {
        return new ComputingThread(name, mostWaiting);
    }
}
