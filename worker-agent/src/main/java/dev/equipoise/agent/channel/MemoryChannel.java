package dev.equipoise.agent.channel;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Connects ranks that are threads of one process. */
public final class MemoryChannel {

    /**
     * Polling time: a running thread of the same process answers within 5 us, or has no core at
     * all.
     */
    private static final Duration SPIN = Duration.ofNanos(5_000);

    private MemoryChannel() {}

    /** Returns one channel for each rank, in the order of the ranks. */
    public static List<Channel> join(int size) {
        return join(size, Timeouts.DEFAULT);
    }

    static List<Channel> join(int size, Timeouts timeouts) {
        List<ThreadWaker> wakers = Stream.generate(ThreadWaker::new).limit(size).toList();
        List<List<BufferHandoff>> handoffs =
                IntStream.range(0, size).mapToObj(from -> row(wakers, from)).toList();
        return IntStream.range(0, size)
                .<Channel>mapToObj(rank -> {
                    var idleStrategy = new IdleStrategy.Parking(wakers.get(rank));
                    return new Endpoint(
                            rank,
                            size,
                            links(handoffs, rank),
                            new IdleLoop(
                                    idleStrategy,
                                    new SpinPolicy(SPIN, Duration.ZERO),
                                    timeouts.idle()));
                })
                .toList();
    }

    private static List<BufferHandoff> row(List<ThreadWaker> wakers, int from) {
        return wakers.stream().map(to -> new BufferHandoff(wakers.get(from), to)).toList();
    }

    private static Map<Integer, Link> links(List<List<BufferHandoff>> handoffs, int rank) {
        Map<Integer, Link> links = new TreeMap<>();
        for (int peer = 0; peer < handoffs.size(); peer++) {
            if (peer != rank) {
                links.put(
                        peer,
                        new MemoryLink(handoffs.get(rank).get(peer), handoffs.get(peer).get(rank)));
            }
        }
        return links;
    }
}
