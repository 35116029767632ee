package dev.equipoise.agent;

import dev.equipoise.agent.cluster.ClusterSettings;
import dev.equipoise.agent.cluster.HazelcastCluster;
import dev.equipoise.protocol.WorkerId;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This worker's place in the lab's cluster, which it may have to take anew. Any thread may call;
 * one alone joins again.
 */
final class Membership implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Membership.class);
    private static final int ANY_PORT = 0;

    private final ClusterSettings settings;
    private volatile String address;

    /** None only while it is taken anew, or where that has failed so far. */
    private volatile Optional<HazelcastCluster> cluster;

    private volatile Watch watch = new Watch(List.of(), () -> {});

    private Membership(ClusterSettings settings, HazelcastCluster cluster) {
        this.settings = settings;
        this.address = cluster.address();
        this.cluster = Optional.of(cluster);
    }

    static Membership join(ClusterSettings settings) {
        var membership = new Membership(settings, joinAtThisPortOrAnother(settings));
        membership.listen();
        return membership;
    }

    /** Leaves the cluster and joins the one that these members are in. */
    void rejoin(List<String> members) {
        cluster.ifPresent(HazelcastCluster::close);
        cluster = Optional.empty();
        HazelcastCluster joined = HazelcastCluster.join(withSeeds(settings, ANY_PORT, members));
        address = joined.address();
        cluster = Optional.of(joined);
        listen();
    }

    /** The present one, or the last. */
    String address() {
        return address;
    }

    Set<WorkerId> sees() {
        return cluster.stream()
                .flatMap(place -> place.workers().stream())
                .flatMap(Membership::workerId)
                .collect(Collectors.toUnmodifiableSet());
    }

    Optional<InetSocketAddress> dataAddress(WorkerId worker) {
        return cluster.flatMap(place -> place.dataAddress(worker.toString()));
    }

    /** From now on watches these peers, and no others; acts when one of them is not there. */
    void whenOneIsLost(Collection<WorkerId> peers, Runnable action) {
        watch = new Watch(peers.stream().map(WorkerId::toString).toList(), action);
        if (!sees().containsAll(peers)) {
            action.run();
        }
    }

    @Override
    public void close() {
        cluster.ifPresent(HazelcastCluster::close);
    }

    /** The port was free when the service was told of it; a heartbeat tells of another one. */
    private static HazelcastCluster joinAtThisPortOrAnother(ClusterSettings settings) {
        try {
            return HazelcastCluster.join(settings);
        } catch (RuntimeException e) {
            log.info("joining the cluster at another port: {}", e.getMessage());
            return HazelcastCluster.join(withSeeds(settings, ANY_PORT, settings.seeds()));
        }
    }

    private static ClusterSettings withSeeds(
            ClusterSettings settings, int port, List<String> seeds) {
        return new ClusterSettings(
                settings.clusterName(),
                settings.host(),
                port,
                seeds,
                settings.worker(),
                settings.dataAddress());
    }

    private void listen() {
        cluster.ifPresent(place -> {
            HazelcastCluster.Registration _ =
                    place.onWorkerLost(worker -> {
                        // A stranger may have borne a worker's id and left again.
                        if (!place.workers().contains(worker)) {
                            watch.lost(worker);
                        }
                    });
        });
    }

    /** Nothing for a stranger, who may call itself anything. */
    private static Stream<WorkerId> workerId(String text) {
        try {
            return Stream.of(WorkerId.of(UUID.fromString(text)));
        } catch (IllegalArgumentException e) {
            return Stream.empty();
        }
    }

    private record Watch(List<String> peers, Runnable onLost) {

        void lost(String worker) {
            if (peers.contains(worker)) {
                log.info("worker {} is not in the cluster any more", worker);
                onLost.run();
            }
        }
    }
}
