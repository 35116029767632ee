package dev.equipoise.agent.channel;

import java.io.IOException;

/** Determines how a rank waits when nothing moves. */
interface IdleStrategy {

    /** Called before the links are polled for the last time before a sleep. */
    void prepare() throws IOException;

    /** Sleeps until something may have moved, at most for the given nanoseconds. */
    void sleep(long nanos) throws IOException;

    /** Wakes the sleeping thread, so that it polls again. Any thread may call. */
    void wake();

    /** Wakes the sleeping thread for good. */
    void close();

    /** Parks the thread until a waker wakes it. */
    record Parking(ThreadWaker waker) implements IdleStrategy {

        @Override
        public void prepare() {
            waker.register();
        }

        @Override
        public void sleep(long nanos) {
            waker.sleep(nanos);
        }

        @Override
        public void wake() {
            waker.ring();
        }

        @Override
        public void close() {
            waker.ring();
        }
    }
}
