package dev.equipoise.launcher;

/** Synchronization methods that the chaos and soak tests train with on three workers. */
enum Method {
    BSP("bsp", 3, 2, 0, ""),
    LOCAL_SGD("local-sgd", 3, 2, 0, "synchronization: {kind: local-sgd, period: 2}"),
    GOSSIP(
            "gossip of weights",
            3,
            2,
            0,
            """
            synchronization: {kind: local-sgd, period: 1}
            topology: {kind: gossip, schedule: dissemination, payload: weights}
            """),
    AD_PSGD(
            "ad-psgd",
            3,
            2,
            0,
            """
            synchronization: ad-psgd
            topology: {kind: gossip, schedule: random-matching}
            """),
    SERVED(
            "async at a server",
            2,
            1,
            1,
            """
            synchronization: {kind: async, correction: inverse}
            topology: parameter-server
            """),
    RIGID("bsp without a minimum", 2, 2, 0, ""),
    /** The outer momentum suits some fifty outer steps. */
    DILOCO("diloco", 2, 2, 0, "synchronization: {kind: diloco, period: 16, outerMomentum: 0.5}"),
    TOP_K("top-k with error feedback", 2, 2, 0, "compression: {kind: top-k, fraction: 0.1}");

    private final String description;
    private final int replicas;
    private final int minimum;
    private final int servers;
    private final String lines;

    Method(String description, int replicas, int minimum, int servers, String lines) {
        this.description = description;
        this.replicas = replicas;
        this.minimum = minimum;
        this.servers = servers;
        this.lines = lines;
    }

    /** Returns whether the remaining ranks continue without a pause when a rank is lost. */
    boolean continuesWithoutPause() {
        return this == GOSSIP || this == AD_PSGD || this == SERVED;
    }

    /**
     * Returns whether a lost rank always restarts the run, with as many ranks as before: the third
     * worker is a spare. The run then computes the bits of an undisturbed one.
     */
    boolean isRigid() {
        return minimum == replicas;
    }

    /**
     * Returns whether ranks that lose others suspend with equal weights, so that the weights of a
     * run follow from its generations to the bit.
     */
    boolean suspends() {
        return this == BSP || this == LOCAL_SGD;
    }

    /** Returns whether all replicas are equal after each epoch. */
    boolean hasEqualReplicas() {
        return this == BSP || this == RIGID || this == TOP_K;
    }

    /** Returns the number of parameter servers, whose ranks come before those of the replicas. */
    int servers() {
        return servers;
    }

    /** Returns the number of ranks, servers included. */
    int ranks() {
        return servers + replicas;
    }

    /** Returns the numbers of workers as a definition states them. */
    String workers() {
        return isRigid()
                ? "replicas: %d".formatted(replicas)
                : "replicas: %d, minimum: %d".formatted(replicas, minimum);
    }

    /** Returns a definition for MNIST on at most three workers. */
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
                        .formatted(name, samples, network, epochs, workers())
                + lines;
    }

    @Override
    public String toString() {
        return description;
    }
}
