package dev.equipoise.app.worker;

/** A worker that does not see another one in the cluster. */
public record Gap(LabWorker worker, LabWorker unseen) {

    @Override
    public String toString() {
        return "%s does not see %s".formatted(worker.name(), unseen.name());
    }
}
