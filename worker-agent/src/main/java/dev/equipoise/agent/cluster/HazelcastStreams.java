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
 * Dispatches slices to the streams that await them. The name of a stream is a secret of its run, so
 * that only its ranks can send to it; slices for unknown streams, as of another generation, are
 * dropped. A rank uses the name only toward a member that has proven, with a fresh nonce and for
 * its own address, that it holds the run key.
 */
final class HazelcastStreams implements ManagedService {

    static final String NAME = "equipoise:streams";

    private static final Logger log = LoggerFactory.getLogger(HazelcastStreams.class);

    private final Map<UUID, HazelcastPipe> awaited = new ConcurrentHashMap<>();
    private final Map<UUID, Prover> provers = new ConcurrentHashMap<>();
    private volatile @Nullable NodeEngine engine;

    /** Proves that a rank awaits a stream. */
    @FunctionalInterface
    interface Prover {

        /** Returns the proof for a nonce and the address of this member. */
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

    void open(UUID publicName, Prover prover) {
        provers.put(publicName, prover);
    }

    void forget(UUID stream, UUID publicName) {
        provers.remove(publicName);
        awaited.remove(stream);
    }

    /** Returns the proof for a public name; empty if no stream awaits under it. */
    Optional<byte[]> answer(UUID publicName, UUID nonce) {
        return Optional.ofNullable(provers.get(publicName))
                .map(prover -> prover.answer(nonce, engine().getThisAddress().toString()));
    }

    void arrived(HazelcastSlice slice) {
        HazelcastPipe pipe = awaited.get(slice.stream());
        if (pipe == null) {
            log.debug("dropping a {} slice of an unknown stream", slice.kind());
            return;
        }
        switch (slice.kind()) {
            case HELLO -> {
                // The operation itself returns the answer.
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

    /** Sends a slice; false if it cannot be sent at all. */
    boolean send(HazelcastSlice slice, Address peer) {
        Operation operation = slice.setNodeEngine(engine()).setServiceName(NAME);
        return engine().getOperationService().send(operation, peer);
    }

    /**
     * Asks a member for its proof; returns whether it awaits the stream and proves it.
     *
     * @param expected computes the expected proof
     */
    boolean answers(UUID publicName, Prover expected, Address peer, Duration timeout)
            throws InterruptedException {
        UUID nonce = UUID.randomUUID();
        try {
            Object answer =
                    engine().getOperationService()
                            .createInvocationBuilder(
                                    NAME, HazelcastSlice.hello(publicName, nonce), peer)
                            .setTryCount(1)
                            .invoke()
                            .get(timeout.toMillis(), TimeUnit.MILLISECONDS);
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
