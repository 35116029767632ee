package dev.equipoise.agent.channel;

import dev.equipoise.agent.channel.FrameChecksum.Cover;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** Joins ranks by streams of bytes of any kind. */
public final class PipeChannel {

    private static final Duration SPIN = Duration.ofNanos(20_000);

    private PipeChannel() {}

    /**
     * A channel over streams that are open.
     *
     * @param pipes to all other ranks
     * @param bell what they ring when something has come
     */
    public static Channel over(
            RunGroup group, Map<Integer, ? extends Pipe> pipes, Bell bell, Timeouts timeouts) {
        Map<Integer, Link> links = new TreeMap<>();
        pipes.forEach((peer, pipe) ->
                links.put(
                        peer,
                        new FramedLink(group.rank(), peer, group.generation(), Cover.FRAME, pipe)));
        var waiting =
                new Waiting(
                        new Sleeper.OnBell(bell),
                        new Polling(SPIN, Duration.ZERO),
                        timeouts.idle());
        return new Endpoint(group.rank(), group.size(), links, waiting);
    }
}
