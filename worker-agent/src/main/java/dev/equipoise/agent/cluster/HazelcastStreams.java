package dev.equipoise.agent.cluster;

import com.hazelcast.cluster.Address;
import com.hazelcast.internal.services.ManagedService;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.operationservice.Operation;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Hands slices to the streams that wait for them. The name of a stream is a secret of its run: who
 * does not know it reaches nobody, and what nobody waits for, as of another generation, is dropped
 * and counted.
 */
final class HazelcastStreams implements ManagedService {

    static final String NAME = "equipoise:streams";

    private final Map<UUID, HazelcastPipe> awaited = new ConcurrentHashMap<>();
    private final AtomicLong dropped = new AtomicLong();
    private volatile @Nullable NodeEngine engine;

    @Override
    public void init(NodeEngine nodeEngine, Properties properties) {
        engine = nodeEngine;
    }

    @Override
    public void reset() {
        awaited.values().forEach(pipe -> pipe.end(0));
    }

    @Override
    public void shutdown(boolean terminate) {
        reset();
    }

    void await(UUID stream, HazelcastPipe pipe) {
        if (awaited.putIfAbsent(stream, pipe) != null) {
            throw new IllegalStateException("a stream of this run is awaited already");
        }
    }

    void forget(UUID stream) {
        awaited.remove(stream);
    }

    boolean isAwaited(UUID stream) {
        return awaited.containsKey(stream);
    }

    long dropped() {
        return dropped.get();
    }

    void arrived(HazelcastSlice slice) {
        HazelcastPipe pipe = awaited.get(slice.stream());
        if (pipe == null) {
            dropped.incrementAndGet();
            return;
        }
        switch (slice.kind()) {
            case HELLO -> {
                // The answer is all that was asked for.
            }
            case BYTES -> pipe.arrived(slice.number(), slice.bytes());
            case TAKEN -> pipe.taken(slice.number());
            case END -> pipe.end(slice.number());
        }
    }

    boolean isMember(Address peer) {
        return engine().getClusterService().getMember(peer) != null;
    }

    void send(HazelcastSlice slice, Address peer) {
        Operation operation = slice.setNodeEngine(engine()).setServiceName(NAME);
        engine().getOperationService().send(operation, peer);
    }

    /** Whether the peer waits for the stream by now. */
    boolean answers(UUID stream, Address peer, Duration patience) throws InterruptedException {
        try {
            return Boolean.TRUE.equals(
                    engine().getOperationService()
                            .createInvocationBuilder(NAME, HazelcastSlice.hello(stream), peer)
                            .setTryCount(1)
                            .invoke()
                            .get(patience.toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException | TimeoutException _) {
            return false;
        }
    }

    private NodeEngine engine() {
        NodeEngine running = engine;
        if (running == null) {
            throw new IllegalStateException("Hazelcast has not started this service");
        }
        return running;
    }
}
