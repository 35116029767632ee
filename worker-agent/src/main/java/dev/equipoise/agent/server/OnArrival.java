package dev.equipoise.agent.server;

/**
 * Applies each gradient when it has come (Dean et al., Large scale distributed deep networks, NIPS
 * 2012); a push is answered at once, so that nobody ever waits who has something in hand. Values
 * leave from a copy: nobody waits for whoever is still getting them.
 */
final class OnArrival implements Discipline {

    private final Ledger ledger;
    private final Gate gate;

    OnArrival(Ledger ledger, Gate gate) {
        this.ledger = ledger;
        this.gate = gate;
    }

    @Override
    public void pull(Worker worker, Message pull, Holding holding) {
        gate.pull(worker, pull, holding);
    }

    @Override
    public boolean accepts(Message push, Holding holding) {
        return true;
    }

    @Override
    public void advance(Worker worker, Message push, Holding holding) {
        if (!worker.hasBrought()) {
            return;
        }
        long updatesBetween = holding.version() - push.version();
        ledger.apply(holding, worker.gradient(holding), updatesBetween, 1);
        worker.answerPush(push, updatesBetween);
        gate.pushed(worker, holding);
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
