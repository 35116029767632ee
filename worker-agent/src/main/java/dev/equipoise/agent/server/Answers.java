package dev.equipoise.agent.server;

import java.util.List;

/** What workers get of servers that keep rounds. */
sealed interface Answers permits Answers.Values, Aggregates {

    /** Answers a worker that asks in between. */
    void pull(Worker worker, Holding holding);

    /** Answers all at the end of a round. */
    void answerAll(List<Worker> workers, Holding holding);

    /** The values of the weights, as they are. */
    record Values() implements Answers {

        @Override
        public void pull(Worker worker, Holding holding) {
            worker.answer(holding, Payload.plain(holding.shard().bytes()), holding.weights());
        }

        @Override
        public void answerAll(List<Worker> workers, Holding holding) {
            for (Worker worker : workers) {
                pull(worker, holding);
            }
        }
    }
}
