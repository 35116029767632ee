package dev.equipoise.app.webhook;

import dev.equipoise.app.run.RunEnded;
import dev.equipoise.app.worker.WorkerLost;
import java.time.Instant;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes events for webhooks in the transaction of the event (transactional outbox), so that
 * neither exists without the other. The publisher of the event holds the lock of its run or worker.
 */
@Component
class Outbox {

    private final DeliveryStore deliveries;
    private final JsonMapper json;

    Outbox(DeliveryStore deliveries, JsonMapper json) {
        this.deliveries = deliveries;
        this.json = json;
    }

    @EventListener
    @Transactional(propagation = Propagation.MANDATORY)
    void on(RunEnded ended) {
        deliveries.addInProject(
                ended.project(),
                WebhookEvent.RUN_ENDED,
                body(EventMessage.of(ended)),
                ended.facts().endedAt());
    }

    @EventListener
    @Transactional(propagation = Propagation.MANDATORY)
    void on(WorkerLost lost) {
        deliveries.addInLab(WebhookEvent.WORKER_LOST, body(EventMessage.of(lost)), lost.at());
    }

    /** Writes a delivery with which an owner tries a webhook. */
    @Transactional(propagation = Propagation.MANDATORY)
    Delivery ping(Webhook webhook, Instant now) {
        return deliveries.add(
                webhook.id(), EventMessage.PING, body(EventMessage.ping(webhook, now)), now);
    }

    private String body(EventMessage message) {
        return json.writeValueAsString(message);
    }
}
