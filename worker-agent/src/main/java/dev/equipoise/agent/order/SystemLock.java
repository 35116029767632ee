package dev.equipoise.agent.order;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Ordered lock for system threads, which acquire it in any order: no order can be imposed. */
public final class SystemLock implements OrderedLock {

    private final Lock lock = new ReentrantLock();

    /** Number of completed acquisitions; guarded by the lock. */
    private int completed;

    @Override
    public void enter(ChoiceSource choices) {
        lock.lock();
        boolean entered = false;
        try {
            requireNow(choices.choose(() -> completed));
            entered = true;
        } finally {
            if (!entered) {
                lock.unlock();
            }
        }
    }

    private void requireNow(int number) {
        if (number != completed) {
            throw new ReplayDivergence(
                    "acquisition "
                            + number
                            + " cannot be imposed after "
                            + completed
                            + ": only virtual runs can replay an execution order");
        }
    }

    @Override
    public void leave() {
        completed++;
        lock.unlock();
    }
}
