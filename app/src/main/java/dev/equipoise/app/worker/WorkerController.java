package dev.equipoise.app.worker;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.page.Cursor;
import dev.equipoise.app.page.NewestFirstKey;
import dev.equipoise.app.patch.MergePatch;
import dev.equipoise.app.patch.RequiredField;
import dev.equipoise.app.problem.RetryOnConflict;
import dev.equipoise.protocol.WorkerId;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.annotation.JsonDeserialize;

/** The API that lists workers, changes their labels, cordons, drains, expels and removes them. */
@Tag(name = "Workers")
@RestController
@RequestMapping("/api/v1/workers")
class WorkerController {

    private final Workers workers;
    private final WorkerLabels labels;

    WorkerController(Workers workers, WorkerLabels labels) {
        this.workers = workers;
        this.labels = labels;
    }

    /**
     * Change of a worker, a JSON merge patch (RFC 7396).
     *
     * @param labels values by name of the label; null deletes the label
     */
    record WorkerPatch(
            @JsonDeserialize(using = RequiredField.class)
                    @Nullable Map<String, @Nullable String> labels) {

        Map<String, @Nullable String> changedLabels() {
            return labels == null ? new HashMap<>() : labels;
        }
    }

    /**
     * Page of workers.
     *
     * @param items workers of the page
     * @param next cursor of the next page; null for the last page
     */
    record WorkerList(List<LabWorker> items, @Nullable String next) {}

    /**
     * Lists the workers of the lab, newest first.
     *
     * @param state states of the workers; without it, all
     */
    @GetMapping
    WorkerList listWorkers(
            @RequestParam(defaultValue = "") Set<@NotNull WorkerState> state,
            @RequestParam(required = false) @Size(max = Cursor.MAX_LENGTH) @Nullable String cursor,
            @RequestParam(defaultValue = "100") @Min(1) @Max(500) int limit) {
        List<LabWorker> page = workers.list(state, NewestFirstKey.after(cursor), limit);
        return new WorkerList(
                page,
                Cursor.next(
                        page,
                        limit,
                        it -> new NewestFirstKey(it.joinedAt(), it.id().value()).cursor()));
    }

    /** Returns a worker with its host, labels, load and reachability. */
    @GetMapping("/{id}")
    LabWorker getWorker(@PathVariable UUID id) {
        return workers.show(WorkerId.of(id));
    }

    /**
     * Changes labels of the worker, by a JSON merge patch (RFC 7396); the changes outlive restarts
     * of its agent.
     */
    @RetryOnConflict
    @PatchMapping(
            path = "/{id}",
            consumes = {MediaType.APPLICATION_JSON_VALUE, MergePatch.MEDIA_TYPE})
    LabWorker updateWorker(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID id,
            @Valid @RequestBody WorkerPatch patch) {
        return labels.change(caller, WorkerId.of(id), patch.changedLabels());
    }

    /** Excludes the worker from new work; its current work continues. */
    @RetryOnConflict
    @PostMapping("/{id}/cordon")
    LabWorker cordonWorker(@AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        return workers.cordon(caller, WorkerId.of(id), Cordon.CORDONED);
    }

    /** Admits the worker to new work again, unless a heartbeat reply already asked it to leave. */
    @RetryOnConflict
    @PostMapping("/{id}/uncordon")
    LabWorker uncordonWorker(@AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        return workers.cordon(caller, WorkerId.of(id), Cordon.OPEN);
    }

    /** Excludes the worker from new work and lets it leave when its current work has ended. */
    @RetryOnConflict
    @PostMapping("/{id}/drain")
    LabWorker drainWorker(@AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        return workers.cordon(caller, WorkerId.of(id), Cordon.DRAINED);
    }

    /** Removes the worker at once: revokes its credential and takes its work from it. */
    @RetryOnConflict
    @PostMapping("/{id}/expel")
    LabWorker expelWorker(@AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        return workers.expel(caller, WorkerId.of(id));
    }

    /**
     * Removes a worker that is lost or has left from the lab; its past runs keep its name. Its
     * agent needs a join token to join again, as a new worker.
     */
    @RetryOnConflict
    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void deleteWorker(@AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        workers.remove(caller, WorkerId.of(id));
    }
}
