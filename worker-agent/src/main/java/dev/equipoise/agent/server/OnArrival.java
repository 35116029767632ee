package dev.equipoise.agent.server;

/**
 * Asynchronous policy: applies each gradient on arrival (Dean et al., Large scale distributed deep
 * networks, NIPS 2012). A push is answered at once, so a replica with a push under way never waits.
 * Values are sent from a snapshot, so no replica waits for another one that is still receiving.
 */
final class OnArrival implements ServerPolicy {

    private final UpdateApplier applier;
    private final StalenessGate gate;

    OnArrival(UpdateApplier applier, StalenessGate gate) {
        this.applier = applier;
        this.gate = gate;
    }

    @Override
    public void pull(ServedRank replica, Message pull, ServedShard served) {
        gate.pull(replica, pull, served);
    }

    @Override
    public boolean accepts(Message push, ServedShard served) {
        return true;
    }

    @Override
    public void advance(ServedRank replica, Message push, ServedShard served) {
        if (!replica.hasWholeGradient()) {
            return;
        }
        long updatesBetween = served.version() - push.version();
        long samplesBefore = applier.samples(served.shard());
        int round = replica.completeRound(served);
        applier.apply(
                served,
                replica.gradient(served),
                new Arrival(updatesBetween, replica.rank(), round),
                1);
        replica.answerPush(push, samplesBefore, updatesBetween);
        gate.pushed(replica, served);
    }

    /** Counts the round for the gate, and leaves weights and version as they are. */
    @Override
    public void skip(ServedRank replica, Message skip, ServedShard served) {
        replica.completeRound(served);
        replica.answerPush(skip, applier.samples(served.shard()), 0);
        gate.pushed(replica, served);
    }

    @Override
    public void pause() {
        gate.paused();
    }

    @Override
    public void resume() {
        gate.resume();
    }
}
