package dev.equipoise.protocol;

/**
 * A way of training in parallel: when replicas agree, over which links, and how what they tell is
 * coded.
 */
public record Method(Synchronization synchronization, Topology topology, Compression compression) {

    public Method {
        Rules.present("synchronization", synchronization);
        Rules.present("topology", topology);
        Rules.present("compression", compression);
    }
}
