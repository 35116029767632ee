package dev.equipoise.agent.lifecycle;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.PendingRendezvous;
import dev.equipoise.agent.channel.RankIdentity;
import dev.equipoise.agent.channel.Timeouts;
import dev.equipoise.agent.cluster.ClusterSettings;
import dev.equipoise.agent.cluster.HazelcastCluster;
import dev.equipoise.protocol.WorkerId;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Membership of this worker in the lab's Hazelcast cluster, which it can leave and rejoin; while
 * rejoining fails, the worker is in no cluster. Any thread may call, but only one may rejoin.
 */
final class Membership implements PeerDirectory, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Membership.class);
    private static final int ANY_PORT = 0;

    private final ClusterSettings settings;
    private final boolean isAnyPort;
    private final Function<ClusterSettings, HazelcastCluster> cluster;
    private volatile @Nullable HazelcastCluster joined;
    private volatile String address;
    private volatile Watch watch = new Watch(List.of(), _ -> {});
    private volatile boolean closed;

    private Membership(
            ClusterSettings settings,
            boolean isAnyPort,
            Function<ClusterSettings, HazelcastCluster> cluster,
            HazelcastCluster first) {
        this.settings = settings;
        this.isAnyPort = isAnyPort;
        this.cluster = cluster;
        this.joined = first;
        this.address = first.address();
    }

    /**
     * Joins the cluster, or starts one alone.
     *
     * @param isAnyPort whether a port other than that of the settings is allowed
     * @throws AgentFailed when the port of the settings is taken and no other is allowed
     */
    static Membership join(ClusterSettings settings, boolean isAnyPort) {
        return join(settings, isAnyPort, HazelcastCluster::join);
    }

    static Membership join(
            ClusterSettings settings,
            boolean isAnyPort,
            Function<ClusterSettings, HazelcastCluster> cluster) {
        HazelcastCluster first =
                isAnyPort
                        ? joinAtThisPortOrAnother(settings, cluster)
                        : joinAtThisPort(settings, cluster);
        var membership = new Membership(settings, isAnyPort, cluster, first);
        membership.listen(first);
        return membership;
    }

    /**
     * Leaves the cluster and joins that of the given members; if that fails, this worker is in no
     * cluster. Does nothing once this is closed, and leaves again if it is closed meanwhile.
     */
    void rejoin(List<String> members) {
        leave();
        if (closed) {
            return;
        }
        HazelcastCluster next =
                cluster.apply(at(isAnyPort ? ANY_PORT : settings.port(), settings, members));
        listen(next);
        address = next.address();
        joined = next;
        if (closed) {
            leave();
        }
    }

    boolean isClosed() {
        return closed;
    }

    /** Returns whether this worker is in no cluster, not even one of its own. */
    boolean isOut() {
        return current().isEmpty();
    }

    /** Returns the address in the cluster, or the last one while this worker is in no cluster. */
    String address() {
        return address;
    }

    /** Returns the cluster view: the workers in the cluster; empty while this worker is in none. */
    @Override
    public Set<WorkerId> sees() {
        return current().stream()
                .flatMap(cluster -> cluster.workers().stream())
                .flatMap(Membership::workerId)
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public Optional<InetSocketAddress> dataAddress(WorkerId worker) {
        return current().flatMap(cluster -> cluster.dataAddress(worker.toString()));
    }

    @Override
    public Channel channel(
            RankIdentity identity,
            List<WorkerId> peers,
            Timeouts timeouts,
            PendingRendezvous rendezvous)
            throws InterruptedException {
        HazelcastCluster cluster =
                current()
                        .orElseThrow(() ->
                                ChannelFailed.missing(
                                        "this worker is in no cluster; it tries to rejoin"));
        return cluster.channel(
                identity, peers.stream().map(WorkerId::toString).toList(), timeouts, rendezvous);
    }

    @Override
    public void whenOneLeaves(List<WorkerId> peers, IntConsumer action) {
        watch = new Watch(peers.stream().map(WorkerId::toString).toList(), action);
    }

    @Override
    public void whenOneIsLost(List<WorkerId> peers, IntConsumer action) {
        whenOneLeaves(peers, action);
        Set<WorkerId> seen = sees();
        for (int i = 0; i < peers.size(); i++) {
            if (!seen.contains(peers.get(i))) {
                action.accept(i);
            }
        }
    }

    /** Leaves the cluster and does not rejoin. */
    @Override
    public void close() {
        closed = true;
        leave();
    }

    private void leave() {
        HazelcastCluster left = joined;
        joined = null;
        if (left != null) {
            left.close();
        }
    }

    private Optional<HazelcastCluster> current() {
        return Optional.ofNullable(joined).filter(HazelcastCluster::isRunning);
    }

    /**
     * Tries another port when that of the settings has been taken meanwhile; the next heartbeat
     * reports the new address.
     */
    private static HazelcastCluster joinAtThisPortOrAnother(
            ClusterSettings settings, Function<ClusterSettings, HazelcastCluster> cluster) {
        try {
            return cluster.apply(settings);
        } catch (RuntimeException e) {
            log.info(
                    "joining the cluster at another port, since {} failed: {}",
                    settings.port(),
                    e.getMessage());
            return cluster.apply(at(ANY_PORT, settings, settings.seeds()));
        }
    }

    private static HazelcastCluster joinAtThisPort(
            ClusterSettings settings, Function<ClusterSettings, HazelcastCluster> cluster) {
        try {
            return cluster.apply(settings);
        } catch (RuntimeException e) {
            throw new AgentFailed(
                    "could not join the cluster at port %d, and no other was allowed: %s"
                            .formatted(settings.port(), e.getMessage()),
                    e);
        }
    }

    private static ClusterSettings at(int port, ClusterSettings settings, List<String> seeds) {
        return new ClusterSettings(
                settings.clusterName(),
                settings.host(),
                port,
                seeds,
                settings.worker(),
                settings.dataAddress());
    }

    private void listen(HazelcastCluster cluster) {
        HazelcastCluster.Registration _ =
                cluster.onWorkerLost(worker -> {
                    if (!cluster.workers().contains(worker)) {
                        watch.lost(worker);
                    }
                });
    }

    /** Ignores a cluster member whose name is no worker id: a stranger may choose any name. */
    private static Stream<WorkerId> workerId(String text) {
        try {
            return Stream.of(WorkerId.of(UUID.fromString(text)));
        } catch (IllegalArgumentException e) {
            return Stream.empty();
        }
    }

    private record Watch(List<String> peers, IntConsumer onLost) {

        void lost(String worker) {
            int index = peers.indexOf(worker);
            if (index >= 0) {
                log.info("worker {} has left the cluster", worker);
                onLost.accept(index);
            }
        }
    }
}
