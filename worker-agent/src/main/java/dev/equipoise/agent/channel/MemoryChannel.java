package dev.equipoise.agent.channel;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Joins threads of one process. */
public final class MemoryChannel {

    /** A thread of the same process answers within microseconds, or has no core at all. */
    private static final Duration SPIN = Duration.ofNanos(5_000);

    private MemoryChannel() {}

    /** The channels of all ranks, in their order. */
    public static List<Channel> join(int size) {
        return join(size, Timeouts.DEFAULT);
    }

    static List<Channel> join(int size, Timeouts timeouts) {
        List<Bell> bells = Stream.generate(Bell::new).limit(size).toList();
        List<List<Handover>> handovers =
                IntStream.range(0, size).mapToObj(from -> row(bells, from)).toList();
        return IntStream.range(0, size)
                .<Channel>mapToObj(rank -> {
                    var sleeper = new Sleeper.OnBell(bells.get(rank));
                    return new Endpoint(
                            rank,
                            size,
                            links(handovers, rank),
                            new Waiting(
                                    sleeper, new Polling(SPIN, Duration.ZERO), timeouts.idle()));
                })
                .toList();
    }

    private static List<Handover> row(List<Bell> bells, int from) {
        return bells.stream().map(to -> new Handover(bells.get(from), to)).toList();
    }

    private static Map<Integer, Link> links(List<List<Handover>> handovers, int rank) {
        Map<Integer, Link> links = new TreeMap<>();
        for (int peer = 0; peer < handovers.size(); peer++) {
            if (peer != rank) {
                links.put(
                        peer,
                        new MemoryLink(
                                handovers.get(rank).get(peer), handovers.get(peer).get(rank)));
            }
        }
        return links;
    }
}
