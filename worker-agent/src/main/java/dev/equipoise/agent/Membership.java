package dev.equipoise.agent;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.RunGroup;
import dev.equipoise.agent.channel.Timeouts;
import dev.equipoise.agent.cluster.ClusterSettings;
import dev.equipoise.agent.cluster.HazelcastCluster;
import dev.equipoise.agent.time.Time;
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
 * This worker's place in the lab's cluster, which it may have to take anew, and which it is without
 * as long as that fails. Any thread may call; one alone joins again.
 */
final class Membership implements AutoCloseable {

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
     * Joins, or begins a cluster alone.
     *
     * @param isAnyPort whether another port than that of the settings will do
     * @throws AgentFailed where it will not, and this one cannot be had
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
     * Leaves the cluster and joins the one that these members are in; is out if that fails. Does
     * nothing once this is closed, and leaves again if it is closed meanwhile.
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

    /** Whether this worker has left for good. */
    boolean isClosed() {
        return closed;
    }

    /** Whether this worker is in no cluster at all, not even in one of its own. */
    boolean isOut() {
        return current().isEmpty();
    }

    /** The last one, when this worker is out. */
    String address() {
        return address;
    }

    /** Nobody, when this worker is out. */
    Set<WorkerId> sees() {
        return current().stream()
                .flatMap(cluster -> cluster.workers().stream())
                .flatMap(Membership::workerId)
                .collect(Collectors.toUnmodifiableSet());
    }

    Optional<InetSocketAddress> dataAddress(WorkerId worker) {
        return current().flatMap(cluster -> cluster.dataAddress(worker.toString()));
    }

    /**
     * Joins the ranks of a run through the cluster itself.
     *
     * @throws ChannelFailed when they are not all there in time, or this worker is out
     */
    Channel channel(RunGroup group, List<WorkerId> peers, Timeouts timeouts, Time time)
            throws InterruptedException {
        HazelcastCluster cluster =
                current()
                        .orElseThrow(() ->
                                ChannelFailed.missing(
                                        "this worker is in no cluster at the moment"));
        return cluster.channel(
                group, peers.stream().map(WorkerId::toString).toList(), timeouts, time);
    }

    /**
     * From now on watches these peers, and no others; acts when one of them is not there.
     *
     * @param action is told which of them, by its place
     */
    void whenOneIsLost(List<WorkerId> peers, IntConsumer action) {
        watch = new Watch(peers.stream().map(WorkerId::toString).toList(), action);
        Set<WorkerId> seen = sees();
        for (int i = 0; i < peers.size(); i++) {
            if (!seen.contains(peers.get(i))) {
                action.accept(i);
            }
        }
    }

    /** Leaves for good. */
    @Override
    public void close() {
        closed = true;
        leave();
    }

    private void leave() {
        HazelcastCluster last = joined;
        joined = null;
        if (last != null) {
            last.close();
        }
    }

    private Optional<HazelcastCluster> current() {
        return Optional.ofNullable(joined).filter(HazelcastCluster::isRunning);
    }

    /** The port was free when the service was told of it; a heartbeat tells of another one. */
    private static HazelcastCluster joinAtThisPortOrAnother(
            ClusterSettings settings, Function<ClusterSettings, HazelcastCluster> cluster) {
        try {
            return cluster.apply(settings);
        } catch (RuntimeException e) {
            log.info("joining the cluster at another port: {}", e.getMessage());
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

    /** Nothing for a stranger, who may call itself anything. */
    private static Stream<WorkerId> workerId(String text) {
        try {
            return Stream.of(WorkerId.of(UUID.fromString(text)));
        } catch (IllegalArgumentException e) {
            return Stream.empty();
        }
    }

    private record Watch(List<String> peers, IntConsumer onLost) {

        void lost(String worker) {
            int place = peers.indexOf(worker);
            if (place >= 0) {
                log.info("worker {} is not in the cluster any more", worker);
                onLost.accept(place);
            }
        }
    }
}
