package dev.equipoise.app.worker;

import dev.equipoise.protocol.WorkerId;

/** An administrator cordoned or drained a worker; published in the transaction of the change. */
public record WorkerCordoned(WorkerId worker, String name) {}
