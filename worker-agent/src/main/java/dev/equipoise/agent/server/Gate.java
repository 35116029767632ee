package dev.equipoise.agent.server;

/** Decides when workers get the values that they ask for, and so begin an iteration. */
sealed interface Gate permits Gate.Open, BoundedGate, BarrierGate {

    /** A worker asks for values. */
    void pull(Worker worker, Message pull, Holding holding);

    /** A worker has brought a gradient, was answered, and is heard on. */
    void pushed(Worker worker, Holding holding);

    /** A worker has paused, and is not waited for. */
    void paused();

    /** All clocks start anew. */
    void resume();

    /** At once. */
    record Open() implements Gate {

        @Override
        public void pull(Worker worker, Message pull, Holding holding) {
            worker.setAside(holding);
            worker.answerAside(holding.shard(), holding.place(), holding.version(), 0);
        }

        @Override
        public void pushed(Worker worker, Holding holding) {}

        @Override
        public void paused() {}

        @Override
        public void resume() {}
    }
}
