package dev.equipoise.agent.channel;

import dev.equipoise.agent.channel.FrameChecksum.Cover;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** Connects ranks over byte streams of any kind. */
public final class PipeChannel {

    private static final Duration SPIN = Duration.ofNanos(20_000);

    private PipeChannel() {}

    /**
     * Returns a channel over open streams.
     *
     * @param pipes the streams to all other ranks
     * @param waker wakes the exchanging thread when a stream has received something
     */
    public static Channel over(
            RankIdentity identity,
            Map<Integer, ? extends Pipe> pipes,
            ThreadWaker waker,
            Timeouts timeouts) {
        Map<Integer, Link> links = new TreeMap<>();
        pipes.forEach((peer, pipe) ->
                links.put(
                        peer,
                        new FramedLink(
                                identity.rank(), peer, identity.generation(), Cover.FRAME, pipe)));
        var idleLoop =
                new IdleLoop(
                        new IdleStrategy.Parking(waker),
                        new SpinPolicy(SPIN, Duration.ZERO),
                        timeouts.idle());
        return new Endpoint(identity.rank(), identity.size(), links, idleLoop);
    }
}
