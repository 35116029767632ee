package dev.equipoise.app.webhook;

import dev.equipoise.app.run.RunEnded;
import dev.equipoise.app.run.RunState;
import dev.equipoise.app.worker.WorkerLost;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Body of a delivery, in the form that Standard Webhooks recommends.
 *
 * @param timestamp time of the event
 */
record EventMessage(String type, Instant timestamp, Data data) {

    /** Type of a delivery that an owner asks for to try a webhook. */
    static final String PING = "ping";

    /** Data of an event. Receivers ignore fields that they do not know. */
    sealed interface Data {

        /**
         * A run that has ended, with the fields of a run in the API.
         *
         * @param failure null without a failure
         */
        record OfRun(
                RunId run,
                UUID project,
                UUID experiment,
                String experimentName,
                int position,
                String name,
                List<String> tags,
                RunState state,
                int generation,
                @Nullable Failure failure,
                @Nullable Double testAccuracy,
                @Nullable Double testLoss,
                Instant queuedAt,
                @Nullable Instant startedAt,
                Instant endedAt)
                implements Data {}

        /** A worker that was lost. */
        record OfWorker(WorkerId worker, String name, Instant lastSeenAt) implements Data {}

        /** A webhook that is tried. */
        record OfWebhook(UUID webhook, UUID project, String name) implements Data {}
    }

    /** Failure of a run. */
    record Failure(FailureCause cause, String code, String message) {}

    static EventMessage of(RunEnded ended) {
        RunEnded.Facts facts = ended.facts();
        return new EventMessage(
                WebhookEvent.RUN_ENDED.code(),
                facts.endedAt(),
                new Data.OfRun(
                        ended.run(),
                        ended.project(),
                        facts.experiment(),
                        facts.experimentName(),
                        facts.position(),
                        facts.name(),
                        facts.tags(),
                        ended.state(),
                        ended.generation(),
                        failure(ended),
                        facts.testAccuracy(),
                        facts.testLoss(),
                        facts.queuedAt(),
                        facts.startedAt(),
                        facts.endedAt()));
    }

    private static @Nullable Failure failure(RunEnded ended) {
        FailureCause cause = ended.cause();
        String code = ended.facts().failureCode();
        String message = ended.facts().failureMessage();
        return cause == null || code == null || message == null
                ? null
                : new Failure(cause, code, message);
    }

    static EventMessage of(WorkerLost lost) {
        return new EventMessage(
                WebhookEvent.WORKER_LOST.code(),
                lost.at(),
                new Data.OfWorker(lost.worker(), lost.name(), lost.lastSeenAt()));
    }

    static EventMessage ping(Webhook webhook, Instant now) {
        return new EventMessage(
                PING, now, new Data.OfWebhook(webhook.id(), webhook.project(), webhook.name()));
    }
}
