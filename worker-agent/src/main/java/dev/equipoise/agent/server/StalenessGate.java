package dev.equipoise.agent.server;

/** Staleness gate: decides when pulls are answered and replicas thus begin an iteration. */
sealed interface StalenessGate permits StalenessGate.Open, BoundedGate, BarrierGate {

    /** Handles the pull of a replica. */
    void pull(ServedRank replica, Message pull, ServedShard served);

    /** Handles a push of a replica that is applied and answered; the next header is awaited. */
    void pushed(ServedRank replica, ServedShard served);

    /** Handles the pause of a replica, for which no other replica waits. */
    void paused();

    /** Restarts all clocks. */
    void resume();

    /** Open gate: answers every pull at once. */
    record Open() implements StalenessGate {

        @Override
        public void pull(ServedRank replica, Message pull, ServedShard served) {
            replica.takeSnapshot(served);
            replica.answerSnapshot(served.shard(), served.slot(), served.version(), 0);
        }

        @Override
        public void pushed(ServedRank replica, ServedShard served) {}

        @Override
        public void paused() {}

        @Override
        public void resume() {}
    }
}
