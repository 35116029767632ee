package dev.equipoise.app.worker;

/** A pair of workers of which the first does not see the second in the Hazelcast cluster. */
public record UnreachablePeer(LabWorker worker, LabWorker unseen) {

    @Override
    public String toString() {
        return "%s does not see %s".formatted(worker.name(), unseen.name());
    }
}
