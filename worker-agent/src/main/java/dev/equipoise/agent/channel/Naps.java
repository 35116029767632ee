package dev.equipoise.agent.channel;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

/**
 * For memory that another process writes, which rings no bell: looks again after a while that grows
 * with how long nothing has come, so that a long wait costs next to nothing.
 *
 * @param sockets of the peers on other machines, which are looked at as often
 */
record Naps(SocketSleeper sockets) implements Sleeper {

    private static final long SHORTEST = 20_000;
    private static final long LONGEST = 1_000_000;
    private static final int SHARE = 8;

    @Override
    public void prepare() {
        // Whatever comes is seen after the nap.
    }

    @Override
    public void sleep(long nanos, long quiet) throws IOException {
        LockSupport.parkNanos(this, Math.min(nanos, Math.clamp(quiet / SHARE, SHORTEST, LONGEST)));
    }

    @Override
    public void close() {
        sockets.close();
    }
}
