package dev.equipoise.agent.order;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** For threads of this machine, which come to their turns as they do: no order can be imposed. */
public final class SystemTurns implements Turns {

    private final Lock lock = new ReentrantLock();

    /** Guarded by the lock. */
    private int over;

    @Override
    public void enter(Decisions decisions) {
        lock.lock();
        boolean entered = false;
        try {
            requireNow(decisions.choose(() -> over));
            entered = true;
        } finally {
            if (!entered) {
                lock.unlock();
            }
        }
    }

    private void requireNow(int turn) {
        if (turn != over) {
            throw new OrderImpossible("threads of this machine have their turns as they come");
        }
    }

    @Override
    public void leave() {
        over++;
        lock.unlock();
    }
}
