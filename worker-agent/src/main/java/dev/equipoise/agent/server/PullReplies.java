package dev.equipoise.agent.server;

import java.util.List;

/** The replies of a server that works in rounds. */
sealed interface PullReplies permits PullReplies.Values, Aggregates {

    /** Answers a pull between rounds. */
    void pull(ServedRank replica, ServedShard served);

    /** Answers all replicas at the end of a round. */
    void answerAll(List<ServedRank> replicas, ServedShard served);

    /** Replies with the plain values of the weights. */
    record Values() implements PullReplies {

        @Override
        public void pull(ServedRank replica, ServedShard served) {
            replica.answer(served, Payload.plain(served.shard().bytes()), served.weights());
        }

        @Override
        public void answerAll(List<ServedRank> replicas, ServedShard served) {
            for (ServedRank replica : replicas) {
                pull(replica, served);
            }
        }
    }
}
