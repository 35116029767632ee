package dev.equipoise.agent.channel;

import java.io.IOException;

/** How a rank waits when nothing moves. */
interface Sleeper {

    /** Called before the links are looked at for the last time. */
    void prepare() throws IOException;

    /** Returns when something may have moved, and after so many nanoseconds at the latest. */
    void sleep(long nanos) throws IOException;

    /** Wakes the thread that sleeps, so that it looks again; for any thread. */
    void wake();

    /** The same, for good. */
    void close();

    /** Until a bell rings. */
    record OnBell(Bell bell) implements Sleeper {

        @Override
        public void prepare() {
            bell.hangUp();
        }

        @Override
        public void sleep(long nanos) {
            bell.sleep(nanos);
        }

        @Override
        public void wake() {
            bell.ring();
        }

        @Override
        public void close() {
            bell.ring();
        }
    }
}
