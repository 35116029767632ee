package dev.equipoise.app.webhook;

import dev.equipoise.app.account.Audit;
import dev.equipoise.app.account.Caller;
import dev.equipoise.app.account.Change;
import dev.equipoise.app.account.Projects;
import dev.equipoise.app.account.Role;
import dev.equipoise.app.page.NewestFirstKey;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.app.revision.Revision;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Manages the webhooks of projects, for their owners. */
@Service
class Webhooks {

    /** Limit of the webhooks of a project. */
    static final int MAX_PER_PROJECT = 10;

    private final WebhookStore webhooks;
    private final DeliveryStore deliveries;
    private final Outbox outbox;
    private final AddressPolicy addresses;
    private final Projects projects;
    private final Audit audit;
    private final SecureRandom random;
    private final Clock clock;

    Webhooks(
            WebhookStore webhooks,
            DeliveryStore deliveries,
            Outbox outbox,
            AddressPolicy addresses,
            Projects projects,
            Audit audit,
            SecureRandom random,
            Clock clock) {
        this.webhooks = webhooks;
        this.deliveries = deliveries;
        this.outbox = outbox;
        this.addresses = addresses;
        this.projects = projects;
        this.audit = audit;
        this.random = random;
        this.clock = clock;
    }

    @Transactional(readOnly = true)
    List<Webhook> of(Caller.User caller, UUID project) {
        projects.require(caller, Role.OWNER, project);
        return webhooks.of(project);
    }

    /**
     * Returns a webhook.
     *
     * @throws Problem {@code not-found} if the project has no such webhook
     */
    @Transactional(readOnly = true)
    Webhook find(Caller.User caller, UUID project, UUID id) {
        projects.require(caller, Role.OWNER, project);
        return webhooks.find(project, id).orElseThrow(() -> Problem.notFound("webhook", id));
    }

    /**
     * Creates a webhook.
     *
     * @throws Problem {@code invalid-request} with all violations, {@code illegal-state} if the
     *     project has the maximum of webhooks
     */
    @Transactional
    Webhook create(Caller.User caller, UUID project, WebhookController.NewWebhook wanted) {
        projects.require(caller, Role.OWNER, project);
        List<Violation> violations = new ArrayList<>();
        WebhookUrl url = url(wanted.url(), violations);
        WebhookSecret secret = secret(wanted.secret(), violations);
        if (url == null || secret == null) {
            throw Problem.of(ErrorCode.INVALID_REQUEST, violations);
        }
        requireRoom(project);
        Webhook created =
                new Webhook(
                        UUID.randomUUID(),
                        project,
                        wanted.name(),
                        url,
                        secret,
                        List.copyOf(wanted.events()),
                        true,
                        null,
                        0,
                        clock.instant(),
                        0);
        webhooks.insert(created);
        audit.note(caller, change("webhook-created", created));
        return created;
    }

    private @Nullable WebhookUrl url(String text, List<Violation> violations) {
        return read("/url", text, () -> WebhookUrl.read(text, addresses), violations);
    }

    private @Nullable WebhookSecret secret(@Nullable String text, List<Violation> violations) {
        return text == null
                ? WebhookSecret.random(random)
                : read("/secret", null, () -> WebhookSecret.parse(text), violations);
    }

    private static <T> @Nullable T read(
            String pointer,
            @Nullable String shown,
            Supplier<T> reading,
            List<Violation> violations) {
        try {
            return reading.get();
        } catch (IllegalArgumentException broken) {
            violations.add(new Violation(pointer, String.valueOf(broken.getMessage()), shown));
            return null;
        }
    }

    private void requireRoom(UUID project) {
        webhooks.lockList(project);
        if (webhooks.of(project).size() >= MAX_PER_PROJECT) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "The project has %d webhooks, the maximum: delete one first"
                            .formatted(MAX_PER_PROJECT));
        }
    }

    /** Changes the configuration; an enabled webhook begins without failures. */
    @Transactional
    Webhook change(
            Caller.User caller,
            UUID project,
            UUID id,
            WebhookController.WebhookPatch patch,
            @Nullable String ifMatch) {
        Webhook before = lock(caller, project, id);
        new Revision(before.version()).require(ifMatch);
        if (patch.changesNothing()) {
            return before;
        }
        List<Violation> violations = new ArrayList<>();
        WebhookUrl url = patch.url() == null ? before.url() : url(patch.url(), violations);
        if (url == null) {
            throw Problem.of(ErrorCode.INVALID_REQUEST, violations);
        }
        Webhook after =
                before.with(
                        Objects.requireNonNullElse(patch.name(), before.name()),
                        url,
                        patch.events() == null ? before.events() : List.copyOf(patch.events()),
                        Objects.requireNonNullElse(patch.enabled(), before.enabled()));
        webhooks.update(after);
        audit.note(caller, change("webhook-changed", after).with("enabled", after.enabled()));
        return after;
    }

    @Transactional
    void remove(Caller.User caller, UUID project, UUID id) {
        Webhook removed = lock(caller, project, id);
        webhooks.delete(id);
        audit.note(caller, change("webhook-removed", removed));
    }

    /**
     * Adds a delivery of type {@code ping}.
     *
     * @throws Problem {@code illegal-state} if the webhook is disabled
     */
    @Transactional
    Delivery ping(Caller.User caller, UUID project, UUID id) {
        Webhook tried = lock(caller, project, id);
        requireEnabled(tried);
        audit.note(caller, change("webhook-pinged", tried));
        return outbox.ping(tried, clock.instant());
    }

    @Transactional(readOnly = true)
    List<Delivery> deliveries(
            Caller.User caller, UUID project, UUID id, NewestFirstKey after, int limit) {
        return deliveries.of(find(caller, project, id).id(), after, limit);
    }

    /**
     * Sends a delivery again, with the same id and body.
     *
     * @throws Problem {@code illegal-state} if the webhook is disabled
     */
    @Transactional
    Delivery resend(Caller.User caller, UUID project, UUID id, UUID delivery) {
        Webhook webhook = lock(caller, project, id);
        requireEnabled(webhook);
        Delivery again =
                deliveries
                        .resend(id, delivery, clock.instant())
                        .orElseThrow(() -> Problem.notFound("delivery", delivery));
        audit.note(caller, change("webhook-resent", webhook).with("delivery", delivery.toString()));
        return again;
    }

    private Webhook lock(Caller.User caller, UUID project, UUID id) {
        projects.require(caller, Role.OWNER, project);
        return webhooks.lock(project, id).orElseThrow(() -> Problem.notFound("webhook", id));
    }

    private static void requireEnabled(Webhook webhook) {
        if (!webhook.enabled()) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Webhook %s is disabled: enable it first".formatted(webhook.id()));
        }
    }

    /** Leaves the URL out: it may have secrets of the receiver. */
    private static Change change(String action, Webhook webhook) {
        return Change.of(action, "webhook", webhook.id())
                .in(webhook.project())
                .with("name", webhook.name())
                .with("host", webhook.url().host())
                .with("events", webhook.eventCodes());
    }
}
