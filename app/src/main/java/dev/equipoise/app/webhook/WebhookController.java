package dev.equipoise.app.webhook;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.page.Cursor;
import dev.equipoise.app.page.NewestFirstKey;
import dev.equipoise.app.patch.MergePatch;
import dev.equipoise.app.patch.RequiredField;
import dev.equipoise.app.problem.RetryOnConflict;
import dev.equipoise.app.revision.Revision;
import dev.equipoise.protocol.DisplayText;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.annotation.JsonDeserialize;

/** Serves the webhooks of projects to their owners. */
@Tag(name = "Webhooks")
@RestController
@RequestMapping("/api/v1/projects/{project}/webhooks")
class WebhookController {

    private final Webhooks webhooks;

    WebhookController(Webhooks webhooks) {
        this.webhooks = webhooks;
    }

    /**
     * A webhook.
     *
     * @param id id of the webhook
     * @param project id of its project
     * @param name name of the webhook
     * @param url address of the receiver
     * @param events events that it gets
     * @param enabled whether the service delivers to it
     * @param disabledReason why the service has disabled it; null if it is enabled, or if an owner
     *     has disabled it
     * @param failures failed attempts since the last delivery
     * @param createdAt time of its creation
     * @param secret secret that signs deliveries; null except in the response that creates the
     *     webhook
     */
    @Schema(name = "Webhook")
    record WebhookView(
            UUID id,
            UUID project,
            String name,
            String url,
            List<WebhookEvent> events,
            boolean enabled,
            @Nullable String disabledReason,
            int failures,
            Instant createdAt,
            @Nullable String secret) {

        static WebhookView of(Webhook webhook) {
            return of(webhook, null);
        }

        static WebhookView created(Webhook webhook) {
            return of(webhook, webhook.secret().text());
        }

        private static WebhookView of(Webhook webhook, @Nullable String secret) {
            return new WebhookView(
                    webhook.id(),
                    webhook.project(),
                    webhook.name(),
                    webhook.url().uri().toString(),
                    webhook.events(),
                    webhook.enabled(),
                    webhook.disabledReason(),
                    webhook.failures(),
                    webhook.createdAt(),
                    secret);
        }

        @Override
        public String toString() {
            return "WebhookView[%s]".formatted(id);
        }
    }

    /**
     * All webhooks of a project.
     *
     * @param items webhooks of the project
     */
    record WebhookList(List<WebhookView> items) {}

    /**
     * Page of deliveries.
     *
     * @param items deliveries of the page
     * @param next cursor of the next page; null for the last page
     */
    record WebhookDeliveryList(List<Delivery> items, @Nullable String next) {}

    /**
     * A webhook to create.
     *
     * @param name name of the webhook
     * @param url address of the receiver, {@code https} or {@code http}, without user and fragment
     * @param events events that it gets
     * @param secret secret that signs deliveries, {@code whsec_} and the Base64 of 24 to 64 random
     *     bytes; null to get one
     */
    record NewWebhook(
            @NotBlank @Size(max = 100) @Pattern(regexp = DisplayText.REGEX, message = DisplayText.RULE) String name,
            @NotNull @Size(min = 1, max = WebhookUrl.MAX_LENGTH) String url,
            @NotEmpty @Size(max = 10) Set<@NotNull WebhookEvent> events,
            @Nullable @Size(max = 200) String secret) {

        @Override
        public String toString() {
            return "NewWebhook[%s]".formatted(name);
        }
    }

    /**
     * Change of a webhook, a JSON merge patch (RFC 7396).
     *
     * @param name new name
     * @param url new address of the receiver
     * @param events all events that it gets
     * @param enabled whether the service delivers to it; true also makes a webhook that the service
     *     has disabled begin again
     */
    record WebhookPatch(
            @JsonDeserialize(using = RequiredField.class)
                    @Nullable @Size(min = 1, max = 100) @Pattern(regexp = "(?s).*\\S.*", message = "must not be blank")
                    @Pattern(regexp = DisplayText.REGEX, message = DisplayText.RULE) String name,
            @JsonDeserialize(using = RequiredField.class)
                    @Nullable @Size(min = 1, max = WebhookUrl.MAX_LENGTH) String url,
            @JsonDeserialize(using = RequiredField.class) @Nullable @Size(min = 1, max = 10) Set<@NotNull WebhookEvent> events,
            @JsonDeserialize(using = RequiredField.class) @Nullable Boolean enabled) {

        boolean changesNothing() {
            return name == null && url == null && events == null && enabled == null;
        }
    }

    /** Lists the webhooks of a project: at most ten, the oldest first, without their secrets. */
    @GetMapping
    WebhookList listWebhooks(
            @AuthenticationPrincipal Caller.User caller, @PathVariable UUID project) {
        return new WebhookList(webhooks.of(caller, project).stream().map(WebhookView::of).toList());
    }

    /**
     * Creates a webhook. The service signs each delivery with its secret by the convention of
     * Standard Webhooks. Only this response has the secret.
     */
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    ResponseEntity<WebhookView> createWebhook(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID project,
            @Valid @RequestBody NewWebhook webhook) {
        Webhook created = webhooks.create(caller, project, webhook);
        return ResponseEntity.created(
                        URI.create(
                                "/api/v1/projects/%s/webhooks/%s".formatted(project, created.id())))
                .body(WebhookView.created(created));
    }

    /** Returns a webhook without its secret. */
    @GetMapping("/{webhook}")
    ResponseEntity<WebhookView> getWebhook(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID project,
            @PathVariable UUID webhook) {
        return tagged(webhooks.find(caller, project, webhook));
    }

    /**
     * Changes, disables or enables a webhook, by a JSON merge patch (RFC 7396). Pending deliveries
     * go to the new URL.
     */
    @RetryOnConflict
    @PatchMapping(
            path = "/{webhook}",
            consumes = {MediaType.APPLICATION_JSON_VALUE, MergePatch.MEDIA_TYPE})
    ResponseEntity<WebhookView> updateWebhook(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID project,
            @PathVariable UUID webhook,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @Valid @RequestBody WebhookPatch patch) {
        return tagged(webhooks.change(caller, project, webhook, patch, ifMatch));
    }

    /** Deletes a webhook with its deliveries. The service does not send pending ones any more. */
    @RetryOnConflict
    @DeleteMapping("/{webhook}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void deleteWebhook(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID project,
            @PathVariable UUID webhook) {
        webhooks.remove(caller, project, webhook);
    }

    /** Tries a webhook: queues a delivery of the type {@code ping}, which is sent as all others. */
    @RetryOnConflict
    @PostMapping("/{webhook}/ping")
    @ResponseStatus(HttpStatus.ACCEPTED)
    Delivery pingWebhook(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID project,
            @PathVariable UUID webhook) {
        return webhooks.ping(caller, project, webhook);
    }

    /** Lists the deliveries of a webhook, newest first. They are removed after a week. */
    @GetMapping("/{webhook}/deliveries")
    WebhookDeliveryList listWebhookDeliveries(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID project,
            @PathVariable UUID webhook,
            @RequestParam(required = false) @Size(max = Cursor.MAX_LENGTH) @Nullable String cursor,
            @RequestParam(defaultValue = "100") @Min(1) @Max(500) int limit) {
        List<Delivery> page =
                webhooks.deliveries(caller, project, webhook, NewestFirstKey.after(cursor), limit);
        return new WebhookDeliveryList(
                page,
                Cursor.next(
                        page, limit, it -> new NewestFirstKey(it.createdAt(), it.id()).cursor()));
    }

    /**
     * Sends a delivery again with the same {@code webhook-id} and body, whatever its state is. Its
     * attempts are counted from zero.
     */
    @RetryOnConflict
    @PostMapping("/{webhook}/deliveries/{delivery}/resend")
    @ResponseStatus(HttpStatus.ACCEPTED)
    Delivery resendWebhookDelivery(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID project,
            @PathVariable UUID webhook,
            @PathVariable UUID delivery) {
        return webhooks.resend(caller, project, webhook, delivery);
    }

    private static ResponseEntity<WebhookView> tagged(Webhook webhook) {
        return ResponseEntity.ok()
                .eTag(new Revision(webhook.version()).tag())
                .body(WebhookView.of(webhook));
    }
}
