package dev.equipoise.launcher;

/** Synchronization methods that the chaos and soak tests train with. */
enum Method {
    BSP("bsp", "replicas: 3, minimum: 2", ""),
    LOCAL_SGD(
            "local-sgd",
            "replicas: 3, minimum: 2",
            "synchronization: {kind: local-sgd, period: 2}"),
    RIGID("bsp that waits for all its ranks", "replicas: 3", ""),
    GOSSIP(
            "gossip",
            "replicas: 3, minimum: 2",
            """
            synchronization: {kind: local-sgd, period: 1}
            topology: {kind: gossip, schedule: dissemination, payload: weights}
            """),
    SERVED(
            "async over a parameter server",
            "replicas: 2, minimum: 1",
            """
            synchronization: {kind: async, correction: inverse}
            topology: parameter-server
            """);

    private final String description;
    private final String workers;
    private final String lines;

    Method(String description, String workers, String lines) {
        this.description = description;
        this.workers = workers;
        this.lines = lines;
    }

    /** Returns whether the remaining ranks continue without a pause when a rank is lost. */
    boolean continuesWithoutPause() {
        return this == GOSSIP || this == SERVED;
    }

    /** Returns the number of parameter servers, whose ranks come before those of the replicas. */
    int servers() {
        return this == SERVED ? 1 : 0;
    }

    /** Returns a definition for MNIST on three workers. */
    String definition(String name, int samples, String network, int epochs) {
        return """
        apiVersion: equipoise/v1
        name: %s
        dataset: { name: mnist, limit: %d }
        network: { preset: %s }
        training: { epochs: %d, batchSize: 32 }
        workers: { %s }
        restarts: 20
        """
                        .formatted(name, samples, network, epochs, workers)
                + lines;
    }

    @Override
    public String toString() {
        return description;
    }
}
