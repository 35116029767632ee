package dev.equipoise.app.plan;

import dev.equipoise.app.worker.LabWorker;

/** A worker that could take a part, and how fast it is. */
record Hand(LabWorker worker, Pace pace) {

    String name() {
        return worker.name();
    }

    /** Seconds of a training step. */
    double seconds(int batch) {
        return pace.speed().seconds(batch);
    }
}
