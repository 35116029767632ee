package dev.equipoise.app.run;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.configuration.NotesPatch;
import dev.equipoise.app.configuration.Priority;
import dev.equipoise.app.filter.FilterParser;
import dev.equipoise.app.page.Cursor;
import dev.equipoise.app.patch.DeletableField;
import dev.equipoise.app.patch.MergePatch;
import dev.equipoise.app.problem.RetryOnConflict;
import dev.equipoise.app.problem.StorableTimes;
import dev.equipoise.app.revision.Revision;
import dev.equipoise.protocol.RunId;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
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

/** API of runs: submit, read, change, cancel, remove. */
@Tag(name = "Runs")
@RestController
@RequestMapping("/api/v1")
class RunController {

    private static final int MAX_TAGS = 20;

    /** Syntax of a tag: one or more words separated by spaces. */
    private static final String TAG = "[\\p{L}\\p{N}][\\p{L}\\p{N} ._:/+-]{0,49}";

    private final Runs runs;
    private final RunFilters filters;
    private final Submissions submissions;
    private final RunChanges changes;

    RunController(Runs runs, RunFilters filters, Submissions submissions, RunChanges changes) {
        this.runs = runs;
        this.filters = filters;
        this.submissions = submissions;
        this.changes = changes;
    }

    /**
     * Page of runs.
     *
     * @param items runs of the page
     * @param next cursor of the next page; null for the last page
     */
    record RunList(List<RunSummary> items, @Nullable String next) {}

    /**
     * Runs that a request has queued.
     *
     * @param items queued runs
     */
    record QueuedRuns(List<RunSummary> items) {}

    /**
     * Change of a run, a JSON merge patch (RFC 7396).
     *
     * @param priority order among the queued runs of the project; null for the default, 0
     * @param tags all tags of the run; null for none
     * @param notes Markdown of at most 65,536 bytes in UTF-8; null deletes the notes
     */
    record RunPatch(
            @JsonDeserialize(using = DeletableField.class)
                    @Nullable @Min(Priority.MIN) @Max(Priority.MAX) Integer priority,
            @JsonDeserialize(using = DeletableField.class) @Nullable @Size(max = MAX_TAGS) Set<@NotNull @Pattern(regexp = TAG) String> tags,
            @Schema(
                            implementation = String.class,
                            types = {"string", "null"},
                            maxLength = NotesPatch.MAX_BYTES)
                    @Nullable NotesPatch notes) {

        boolean changesNothing() {
            return priority == null && tags == null && notes == null;
        }
    }

    /** Queues all runs of an experiment, one for each run configuration of its newest version. */
    @PostMapping("/experiments/{experiment}/runs")
    @ResponseStatus(HttpStatus.ACCEPTED)
    QueuedRuns submitRuns(
            @AuthenticationPrincipal Caller.User caller, @PathVariable UUID experiment) {
        return new QueuedRuns(submissions.submit(caller, experiment));
    }

    /**
     * Lists the runs that the caller may see, page by page.
     *
     * @param project the only project whose runs come
     * @param experiment the only experiment whose runs come
     * @param state states of the runs
     * @param name part of the experiment's name
     * @param tag tag of the run
     * @param since earliest queue time, inclusive
     * @param until latest queue time, exclusive
     * @param filter condition in the filter language, besides the other parameters
     * @param sort a field of filters, after a minus sign for descending order
     * @param cursor the {@code next} of the page before
     */
    @GetMapping("/runs")
    RunList listRuns(
            @AuthenticationPrincipal Caller.User caller,
            @RequestParam(required = false) @Nullable UUID project,
            @RequestParam(required = false) @Nullable UUID experiment,
            @RequestParam(defaultValue = "") Set<@NotNull RunState> state,
            @RequestParam(required = false) @Size(max = 200) @Nullable String name,
            @RequestParam(required = false) @Size(max = 50) @Nullable String tag,
            @RequestParam(required = false) @Nullable Instant since,
            @RequestParam(required = false) @Nullable Instant until,
            @RequestParam(required = false) @Size(max = FilterParser.MAX_LENGTH) @Nullable String filter,
            @RequestParam(required = false) @Size(max = 100) @Nullable String sort,
            @RequestParam(required = false) @Size(max = Cursor.MAX_LENGTH) @Nullable String cursor,
            @RequestParam(defaultValue = "100") @Min(1) @Max(500) int limit) {
        return runs.search(
                caller,
                new RunSearch.Filter(
                        project,
                        experiment,
                        state,
                        name,
                        tag,
                        StorableTimes.require("?since", since),
                        StorableTimes.require("?until", until),
                        filters.parse("?filter", filter)),
                RunOrder.of(sort),
                cursor,
                limit);
    }

    /** Returns a run with its configuration, ranks and figures. */
    @GetMapping("/runs/{id}")
    ResponseEntity<RunView> getRun(
            @AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        return tagged(runs.find(caller, RunId.of(id)));
    }

    /**
     * Changes the priority of a queued run, or the tags or the notes of any run, by a JSON merge
     * patch (RFC 7396).
     */
    @RetryOnConflict
    @PatchMapping(
            path = "/runs/{id}",
            consumes = {MediaType.APPLICATION_JSON_VALUE, MergePatch.MEDIA_TYPE})
    ResponseEntity<RunView> updateRun(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            @Valid @RequestBody RunPatch patch) {
        return tagged(changes.change(caller, RunId.of(id), patch, ifMatch));
    }

    /** Queues the same run configuration once more. */
    @PostMapping("/runs/{id}/rerun")
    @ResponseStatus(HttpStatus.ACCEPTED)
    QueuedRuns rerunRun(@AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        return new QueuedRuns(List.of(submissions.rerun(caller, RunId.of(id))));
    }

    /** Removes an ended run with all its figures. */
    @RetryOnConflict
    @DeleteMapping("/runs/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void deleteRun(@AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        changes.remove(caller, RunId.of(id));
    }

    private static ResponseEntity<RunView> tagged(RunView run) {
        return ResponseEntity.ok().eTag(new Revision(run.revision()).tag()).body(run);
    }

    /** Cancels a run that has not ended. Its figures stay. */
    @RetryOnConflict
    @PostMapping("/runs/{id}/cancel")
    RunView cancelRun(@AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        return changes.cancel(caller, RunId.of(id));
    }
}
