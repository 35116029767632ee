package dev.equipoise.agent.server;

import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.collective.FloatSum;
import dev.equipoise.agent.collective.PipelineSegments;
import dev.equipoise.agent.server.Mode.Aggregate;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Synchronous policy: applies the aggregate when all gradients have arrived (docs/algorithms.md,
 * section 4.1). Each segment of a round is summed as soon as it has arrived from every replica,
 * while the next ones move, and in the order of the ranks, so that the sum does not depend on the
 * order of arrival. A frame is one segment, since it can be decoded only as a whole.
 *
 * <p>Answers are sent directly from the server's memory: it changes only when every replica has
 * pushed its next gradient, for which it needs the answer first.
 */
final class Rounds implements ServerPolicy {

    private final List<ServedRank> replicas;
    private final Aggregate aggregate;
    private final UpdateApplier applier;
    private final PullReplies replies;
    private final FloatSum sum = FloatSum.fastest();
    private final FloatScale scale = FloatScale.fastest();

    /** Bytes of this round's gradient that are summed already. */
    private long summed;

    Rounds(
            List<ServedRank> replicas,
            Aggregate aggregate,
            UpdateApplier applier,
            PullReplies replies) {
        this.replicas = replicas;
        this.aggregate = aggregate;
        this.applier = applier;
        this.replies = replies;
    }

    @Override
    public void pull(ServedRank replica, Message pull, ServedShard served) {
        replies.pull(replica, served);
    }

    /**
     * Requires that all replicas push their shards in the same order; otherwise they would wait for
     * each other.
     */
    @Override
    public boolean accepts(Message push, ServedShard served) {
        for (ServedRank replica : replicas) {
            rejectIf(replica.isPaused());
            Message other = replica.pushing();
            if (other != null && other.shard() != push.shard()) {
                return false;
            }
        }
        return push.version() == served.version();
    }

    /** Iterates over all replicas without an iterator, since it is called for every segment. */
    @Override
    public void advance(ServedRank replica, Message push, ServedShard served) {
        long common = served.shard().bytes();
        boolean areAllComplete = true;
        for (int i = 0; i < replicas.size(); i++) {
            common = Math.min(common, replicas.get(i).receivedBytes(served));
            areAllComplete &= replicas.get(i).hasWholeGradient();
        }
        sumSegments(served, common);
        if (areAllComplete) {
            applyAll(served);
        }
    }

    @Override
    public void skip(ServedRank replica, Message skip, ServedShard served) {
        throw new MessageRefused(
                "rank %d skipped a round, in which servers wait for a gradient of each replica"
                        .formatted(replica.rank()));
    }

    /** Sums the segments that have arrived from all replicas into the gradient of the first one. */
    private void sumSegments(ServedShard served, long common) {
        MemorySegment totals = replicas.getFirst().slots();
        while (summed < common) {
            long length = PipelineSegments.length(summed, served.shard().bytes());
            long at = served.slot() + summed;
            for (int i = 1; i < replicas.size(); i++) {
                sum.add(totals, at, replicas.get(i).slots(), at, length);
            }
            summed += length;
        }
    }

    private void applyAll(ServedShard served) {
        MemorySegment total = replicas.getFirst().gradient(served);
        summed = 0;
        if (aggregate == Aggregate.MEAN) {
            scale.scale(total, 1f / replicas.size(), total);
        }
        applier.apply(served, total, Arrival.OF_ALL, replicas.size());
        replies.answerAll(replicas, served);
    }

    @Override
    public void pause() {
        for (ServedRank replica : replicas) {
            rejectIf(replica.pushing() != null);
        }
    }

    private static void rejectIf(boolean isRoundBroken) {
        if (isRoundBroken) {
            throw new MessageRefused(
                    "a replica has paused before the round was over; all replicas must run equally"
                            + " many rounds");
        }
    }

    @Override
    public void resume() {
        summed = 0;
    }
}
