package dev.equipoise.app.run;

import dev.equipoise.app.account.Caller;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.util.List;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Cancels and deletes several runs, and describes the fields by which runs are selected. */
@Tag(name = "Runs")
@RestController
@RequestMapping("/api/v1/runs")
class RunBatchController {

    private final RunBatches batches;
    private final RunFilters filters;

    RunBatchController(RunBatches batches, RunFilters filters) {
        this.batches = batches;
        this.filters = filters;
    }

    /**
     * All fields by which runs are filtered, except labels.
     *
     * @param items fields by which runs are filtered
     */
    record RunFieldList(List<RunFilters.RunField> items) {}

    /**
     * Lists the fields by which {@code GET /runs} filters and sorts, with their types, other names,
     * comparisons and words. Besides them, {@code workers.selector.LABEL} is the value of a label
     * that all workers of a run must have.
     */
    @GetMapping("/fields")
    RunFieldList listRunFields() {
        return new RunFieldList(filters.fields());
    }

    /**
     * Cancels several runs. They are at most 1,000, by their ids, or by a filter and the number of
     * runs that must fulfill it. The answer tells for each run what happened; a rejected run does
     * not stop the others.
     */
    @ApiResponse(responseCode = "200", description = "What happened to each run")
    @ApiResponse(
            responseCode = "412",
            description = "Another number of runs fulfills the filter; none was changed")
    @PostMapping("/cancel")
    RunBatches.ChangedRuns cancelRuns(
            @AuthenticationPrincipal Caller.User caller,
            @Valid @RequestBody RunBatches.RunSelection selection) {
        return batches.cancel(caller, selection);
    }

    /**
     * Deletes several ended runs with all their figures and models. They are at most 1,000, by
     * their ids, or by a filter and the number of runs that must fulfill it. The answer tells for
     * each run what happened; a rejected run does not stop the others.
     */
    @ApiResponse(responseCode = "200", description = "What happened to each run")
    @ApiResponse(
            responseCode = "412",
            description = "Another number of runs fulfills the filter; none was changed")
    @PostMapping("/delete")
    RunBatches.ChangedRuns deleteRuns(
            @AuthenticationPrincipal Caller.User caller,
            @Valid @RequestBody RunBatches.RunSelection selection) {
        return batches.remove(caller, selection);
    }
}
