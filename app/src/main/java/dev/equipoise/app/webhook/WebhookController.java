package dev.equipoise.app.webhook;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.page.Cursor;
import dev.equipoise.app.page.NewestFirstKey;
import dev.equipoise.app.problem.RetryOnConflict;
import dev.equipoise.app.revision.Revision;
import dev.equipoise.protocol.DisplayText;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
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

/** Serves the webhooks of projects to their owners. */
@RestController
@RequestMapping("/api/v1/projects/{project}/webhooks")
class WebhookController {

    private static final String TAG = "Webhooks";

    private final Webhooks webhooks;

    WebhookController(Webhooks webhooks) {
        this.webhooks = webhooks;
    }

    /**
     * A webhook.
     *
     * @param disabledReason why the service has disabled it; null if it is enabled, or if an owner
     *     has disabled it
     * @param failures failed attempts since the last delivery
     * @param secret signs deliveries; null except in the response that creates the webhook
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

    record WebhookList(List<WebhookView> items) {}

    record WebhookDeliveryList(List<Delivery> items, @Nullable String next) {}

    /**
     * A webhook to create.
     *
     * @param url {@code https} or {@code http}, without user and fragment
     * @param secret {@code whsec_} and the Base64 of 24 to 64 random bytes; null to get one
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
     * Changes of a webhook; a field that is null or missing keeps its value.
     *
     * @param enabled true also makes a webhook that the service has disabled begin again
     */
    record WebhookPatch(
            @Nullable @Size(min = 1, max = 100) @Pattern(regexp = "(?s).*\\S.*", message = "must not be blank") @Pattern(regexp = DisplayText.REGEX, message = DisplayText.RULE) String name,
            @Nullable @Size(min = 1, max = WebhookUrl.MAX_LENGTH) String url,
            @Nullable @Size(min = 1, max = 10) Set<@NotNull WebhookEvent> events,
            @Nullable Boolean enabled) {}

    @GetMapping
    @Operation(
            operationId = "listWebhooks",
            summary = "List the webhooks of a project",
            description = "At most ten, the oldest first, without their secrets.",
            tags = TAG)
    WebhookList list(@AuthenticationPrincipal Caller.User caller, @PathVariable UUID project) {
        return new WebhookList(
                webhooks.of(caller, project).stream().map(WebhookView::of).toList());
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    @Operation(
            operationId = "createWebhook",
            summary = "Create a webhook",
            description =
                    "The service signs each delivery with the secret by the convention of Standard"
                            + " Webhooks. Only this response has the secret.",
            tags = TAG)
    ResponseEntity<WebhookView> create(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID project,
            @Valid @RequestBody NewWebhook webhook) {
        Webhook created = webhooks.create(caller, project, webhook);
        return ResponseEntity.created(
                        URI.create(
                                "/api/v1/projects/%s/webhooks/%s".formatted(project, created.id())))
                .body(WebhookView.created(created));
    }

    @GetMapping("/{webhook}")
    @Operation(
            operationId = "getWebhook",
            summary = "Get a webhook",
            description = "Without its secret.",
            tags = TAG)
    ResponseEntity<WebhookView> webhook(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID project,
            @PathVariable UUID webhook) {
        return tagged(webhooks.find(caller, project, webhook));
    }

    @RetryOnConflict
    @PatchMapping("/{webhook}")
    @Operation(
            operationId = "updateWebhook",
            summary = "Change a webhook",
            description =
                    "Changes the name, the URL or the events, and disables or enables the webhook."
                            + " Pending deliveries go to the new URL.",
            tags = TAG)
    ResponseEntity<WebhookView> change(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID project,
            @PathVariable UUID webhook,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @Valid @RequestBody WebhookPatch patch) {
        return tagged(webhooks.change(caller, project, webhook, patch, ifMatch));
    }

    @RetryOnConflict
    @DeleteMapping("/{webhook}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(
            operationId = "deleteWebhook",
            summary = "Delete a webhook",
            description = "Deletes its deliveries too; pending ones are not sent any more.",
            tags = TAG)
    void remove(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID project,
            @PathVariable UUID webhook) {
        webhooks.remove(caller, project, webhook);
    }

    @RetryOnConflict
    @PostMapping("/{webhook}/ping")
    @ResponseStatus(HttpStatus.ACCEPTED)
    @Operation(
            operationId = "pingWebhook",
            summary = "Try a webhook",
            description = "Queues a delivery of the type ping, which is sent as all others are.",
            tags = TAG)
    Delivery ping(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID project,
            @PathVariable UUID webhook) {
        return webhooks.ping(caller, project, webhook);
    }

    @GetMapping("/{webhook}/deliveries")
    @Operation(
            operationId = "listWebhookDeliveries",
            summary = "List the deliveries of a webhook",
            description = "The newest first. Deliveries are removed after a week.",
            tags = TAG)
    WebhookDeliveryList deliveries(
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

    @RetryOnConflict
    @PostMapping("/{webhook}/deliveries/{delivery}/resend")
    @ResponseStatus(HttpStatus.ACCEPTED)
    @Operation(
            operationId = "resendWebhookDelivery",
            summary = "Send a delivery again",
            description =
                    "Queues the delivery again with the same webhook-id and body, whatever its state"
                            + " is. Its attempts are counted from zero.",
            tags = TAG)
    Delivery resend(
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
