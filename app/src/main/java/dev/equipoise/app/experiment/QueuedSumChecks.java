package dev.equipoise.app.experiment;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.protocol.Clipping;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.network.LayerMismatch;
import java.util.Objects;

/** Checks what a queue of asynchronous sums requires of the other choices. */
final class QueuedSumChecks {

    /** Limit of the memory of the sums in flight of all replicas on one worker, in bytes: 2 GiB. */
    private static final long MAX_QUEUE_BYTES = 2L << 30;

    private final ValidationContext context;
    private final RunConfiguration configuration;

    QueuedSumChecks(ValidationContext context) {
        this.context = context;
        this.configuration = context.configuration();
    }

    void check(Synchronization.Async async) {
        checkInFlight(async);
        if (!async.isQueued()) {
            return;
        }
        context.require(
                async.maxStaleness() == null,
                "synchronization/maxStaleness",
                "must be omitted if each round has a sum of its own: inFlight bounds a replica");
        context.require(
                !(configuration.compression() instanceof Compression.SampledRows),
                "compression",
                "must not be sampled-rows if several sums are in flight, which would touch"
                        + " different rows");
        if (async.isOwnAtOnce()) {
            checkOptimizer(configuration.training().optimizer());
        }
        checkMemory(async);
    }

    /** The queue is empty at the end of an epoch, so that an epoch has the most sums in flight. */
    private void checkInFlight(Synchronization.Async async) {
        Integer inFlight = async.inFlight();
        int rounds = configuration.rounds();
        if (inFlight == null) {
            return;
        }
        if (inFlight == MethodReader.UNBOUNDED) {
            context.require(
                    rounds > 1 || async.isOwnAtOnce(),
                    "synchronization/inFlight",
                    "must be 1 in a run with one round an epoch");
        } else {
            context.require(
                    inFlight <= rounds,
                    "synchronization/inFlight",
                    "must be unbounded or at most the rounds of an epoch, %d".formatted(rounds));
        }
    }

    private void checkOptimizer(OptimizerSpec optimizer) {
        context.require(
                !optimizer.remembers(),
                "training/optimizer",
                "must be sgd without momentum if own is at-once: the steps of both parts of a mean"
                        + " make the step of the mean only if the optimizer has no state");
        context.require(
                optimizer.clipping() instanceof Clipping.None,
                "training/optimizer/clipping",
                "must be none if own is at-once, which would clip the parts of a mean");
        context.require(
                optimizer.coupledDecay() == 0,
                "training/optimizer/weightDecay",
                "must be 0 if own is at-once, which would decay the weights with each part of a mean");
    }

    private void checkMemory(Synchronization.Async async) {
        int inFlight = Objects.requireNonNullElse(async.inFlight(), 1);
        long vectors = (long) Math.min(inFlight, configuration.rounds()) * replicasOfWorker();
        long bytes = vectors * Float.BYTES * parameters();
        context.require(
                bytes <= MAX_QUEUE_BYTES,
                "synchronization/inFlight",
                "must be less: %d sums in flight on a worker take %d bytes, above the limit of %d"
                        .formatted(vectors, bytes, MAX_QUEUE_BYTES));
    }

    private int replicasOfWorker() {
        return configuration.isOnOneWorker() ? configuration.workers().replicas() : 1;
    }

    /** Returns the parameters; 0 if the layers do not fit, which the network's checks report. */
    private long parameters() {
        try {
            return configuration.architecture().parameterCount();
        } catch (LayerMismatch _) {
            return 0;
        }
    }
}
