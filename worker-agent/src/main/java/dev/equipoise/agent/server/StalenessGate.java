package dev.equipoise.agent.server;

/** Staleness gate: decides when pulls are answered and workers thus begin an iteration. */
sealed interface StalenessGate permits StalenessGate.Open, BoundedGate, BarrierGate {

    /** Handles the pull of a worker. */
    void pull(ServedRank worker, Message pull, ServedShard served);

    /** Handles a push of a worker that is applied and answered; the next header is awaited. */
    void pushed(ServedRank worker, ServedShard served);

    /** Handles the pause of a worker, for which no other worker waits. */
    void paused();

    /** Restarts all clocks. */
    void resume();

    /** Open gate: answers every pull at once. */
    record Open() implements StalenessGate {

        @Override
        public void pull(ServedRank worker, Message pull, ServedShard served) {
            worker.takeSnapshot(served);
            worker.answerSnapshot(served.shard(), served.slot(), served.version(), 0);
        }

        @Override
        public void pushed(ServedRank worker, ServedShard served) {}

        @Override
        public void paused() {}

        @Override
        public void resume() {}
    }
}
