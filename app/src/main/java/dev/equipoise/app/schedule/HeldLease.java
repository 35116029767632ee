package dev.equipoise.app.schedule;

import dev.equipoise.app.computing.WaitCallback;
import dev.equipoise.app.dispatch.SchedulerLease;

/** The scheduler lease during one scheduling pass. */
final class HeldLease {

    private final SchedulerLease lease;
    private final SchedulerLease.Token token;
    private boolean lost;

    HeldLease(SchedulerLease lease, SchedulerLease.Token token) {
        this.lease = lease;
        this.token = token;
    }

    SchedulerLease.Token token() {
        return token;
    }

    /** Whether another instance has acquired the lease and started a newer pass. */
    boolean isLost() {
        return lost;
    }

    /** Keeps other instances from starting a pass that does not see the decisions of this one. */
    void renew() {
        lost = lost || !lease.renew(token);
    }

    /** Renews the lease during a computation that takes longer than the lease lasts. */
    WaitCallback renewing() {
        return new WaitCallback(lease.renewalInterval(), this::renew);
    }

    /** Checks the lease after a rejected offer, as its loss may be the cause. */
    boolean offered(boolean isOffered) {
        if (!isOffered) {
            renew();
        }
        return isOffered;
    }
}
