package dev.equipoise.launcher;

/** The ways of training that are tried under faults, and for hours. */
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

    private final String words;
    private final String workers;
    private final String lines;

    Method(String words, String workers, String lines) {
        this.words = words;
        this.workers = workers;
        this.lines = lines;
    }

    /** Whether those that are left when a rank is lost do not stop. */
    boolean carriesOn() {
        return this == GOSSIP || this == SERVED;
    }

    /** The ranks that serve, before those that train. */
    int servers() {
        return this == SERVED ? 1 : 0;
    }

    /** MNIST on three workers. */
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
        return words;
    }
}
