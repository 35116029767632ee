package dev.equipoise.agent.cluster;

import com.hazelcast.cluster.Address;
import com.hazelcast.internal.services.ManagedService;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.operationservice.Operation;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands slices to the streams that wait for them. The name of a stream is a secret of its run: who
 * does not know it reaches nobody, and what nobody waits for, as of another generation, is dropped.
 * It is told to nobody but a member that has proven, in answer to a fresh question and for its own
 * address, to hold the key of the run.
 */
final class HazelcastStreams implements ManagedService {

    static final String NAME = "equipoise:streams";

    private static final Logger log = LoggerFactory.getLogger(HazelcastStreams.class);

    private final Map<UUID, HazelcastPipe> awaited = new ConcurrentHashMap<>();
    private final Map<UUID, Door> doors = new ConcurrentHashMap<>();
    private volatile @Nullable NodeEngine engine;

    /** Where a stream is asked for. */
    @FunctionalInterface
    interface Door {

        /** The proof of who waits behind it, at this address. */
        byte[] answer(UUID nonce, String address);
    }

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

    void open(UUID name, Door door) {
        doors.put(name, door);
    }

    void forget(UUID stream, UUID door) {
        doors.remove(door);
        awaited.remove(stream);
    }

    /** Empty where nobody waits behind the door. */
    Optional<byte[]> answer(UUID door, UUID nonce) {
        return Optional.ofNullable(doors.get(door))
                .map(found -> found.answer(nonce, engine().getThisAddress().toString()));
    }

    void arrived(HazelcastSlice slice) {
        HazelcastPipe pipe = awaited.get(slice.stream());
        if (pipe == null) {
            log.debug("a slice that nobody waits for is dropped: {}", slice.kind());
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

    boolean isThisMember(Address peer) {
        return engine().getThisAddress().equals(peer);
    }

    /** False where it cannot be sent at all. */
    boolean send(HazelcastSlice slice, Address peer) {
        Operation operation = slice.setNodeEngine(engine()).setServiceName(NAME);
        return engine().getOperationService().send(operation, peer);
    }

    /**
     * Whether the peer waits behind the door by now, and proves it.
     *
     * @param expected what it must answer
     */
    boolean answers(UUID door, Door expected, Address peer, Duration patience)
            throws InterruptedException {
        UUID nonce = UUID.randomUUID();
        try {
            Object answer =
                    engine().getOperationService()
                            .createInvocationBuilder(NAME, HazelcastSlice.hello(door, nonce), peer)
                            .setTryCount(1)
                            .invoke()
                            .get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return answer instanceof byte[] proof
                    && MessageDigest.isEqual(expected.answer(nonce, peer.toString()), proof);
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
