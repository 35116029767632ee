package dev.equipoise.app.measurement;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.page.Cursor;
import dev.equipoise.app.page.NewestFirstKey;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.RetryOnConflict;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.protocol.Assignment.LinkProfiling;
import dev.equipoise.protocol.WorkerId;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The API that requests link measurements and lists the measured links. */
@Tag(name = "Links")
@RestController
@RequestMapping("/api/v1/links")
class LinkController {

    private final LinkMeasurements links;

    LinkController(LinkMeasurements links) {
        this.links = links;
    }

    /**
     * Links between live workers.
     *
     * @param items newest costs of each link
     */
    record LinkList(List<LinkView> items) {}

    /**
     * Page of link measurements.
     *
     * @param items link measurements of the page
     * @param next cursor of the next page; null for the last page
     */
    record LinkMeasurementList(List<LinkMeasurementView> items, @Nullable String next) {}

    /**
     * The request to measure all links between some workers.
     *
     * @param workers ids of the workers, each once
     */
    record NewLinkMeasurement(
            @NotNull @Size(min = 2, max = LinkProfiling.MAX_WORKERS) List<@NotNull WorkerId> workers) {}

    /** Lists the newest costs of each link between live workers. */
    @GetMapping
    LinkList listLinks() {
        return new LinkList(links.ofLiveWorkers());
    }

    /** Lists the link measurements, newest first. */
    @GetMapping("/measurements")
    LinkMeasurementList listLinkMeasurements(
            @RequestParam(required = false) @Size(max = Cursor.MAX_LENGTH) @Nullable String cursor,
            @RequestParam(defaultValue = "100") @Min(1) @Max(500) int limit) {
        List<LinkMeasurementView> page = links.list(NewestFirstKey.after(cursor), limit);
        return new LinkMeasurementList(
                page,
                Cursor.next(
                        page, limit, it -> new NewestFirstKey(it.requestedAt(), it.id()).cursor()));
    }

    /** Returns a link measurement. */
    @GetMapping("/measurements/{id}")
    LinkMeasurementView getLinkMeasurement(@PathVariable UUID id) {
        return links.find(id);
    }

    /**
     * Requests a measurement; for administrators, as the scheduler requests the links that runs
     * need. The workers are reserved until all of them are free and have measured.
     */
    @RetryOnConflict
    @PostMapping("/measurements")
    @ResponseStatus(HttpStatus.ACCEPTED)
    LinkMeasurementView requestLinkMeasurement(
            @AuthenticationPrincipal Caller.User caller,
            @Valid @RequestBody NewLinkMeasurement wanted) {
        Set<WorkerId> workers = Set.copyOf(wanted.workers());
        if (workers.size() < wanted.workers().size()) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    List.of(
                            new Violation(
                                    "/workers", "must name each worker once", wanted.workers())));
        }
        return links.request(caller, workers);
    }

    /** Cancels a measurement and releases its workers; for administrators. */
    @PostMapping("/measurements/{id}/cancel")
    LinkMeasurementView cancelLinkMeasurement(
            @AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        return links.cancel(caller, id);
    }
}
