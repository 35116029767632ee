package dev.equipoise.app.run;

import dev.equipoise.app.account.Caller;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import jakarta.validation.Valid;
import java.util.List;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Cancels and deletes several runs, and describes the fields by which runs are selected. */
@RestController
@RequestMapping("/api/v1/runs")
class RunBatchController {

    private final RunBatches batches;
    private final RunFilters filters;

    RunBatchController(RunBatches batches, RunFilters filters) {
        this.batches = batches;
        this.filters = filters;
    }

    record RunFieldList(List<RunFilters.RunField> items) {}

    @Operation(
            operationId = "listRunFields",
            summary = "List the fields of run filters",
            description =
                    "Fields by which `GET /runs` filters and sorts, with their types, other names,"
                            + " comparisons and words. Besides them, `workers.selector.LABEL` is the"
                            + " value of a label that all workers of a run must have.")
    @GetMapping("/fields")
    RunFieldList fields() {
        return new RunFieldList(filters.fields());
    }

    @Operation(
            operationId = "cancelRuns",
            summary = "Cancel several runs",
            description =
                    "Cancels at most 1,000 runs by their ids, or those that fulfill a filter if they"
                            + " are as many as expected. The answer tells for each run what"
                            + " happened; a rejected run does not stop the others.")
    @ApiResponse(responseCode = "200", description = "What happened to each run")
    @ApiResponse(
            responseCode = "412",
            description = "Another number of runs fulfills the filter; none was changed")
    @PostMapping("/cancel")
    RunBatches.ChangedRuns cancel(
            @AuthenticationPrincipal Caller.User caller,
            @Valid @RequestBody RunBatches.RunSelection selection) {
        return batches.cancel(caller, selection);
    }

    @Operation(
            operationId = "deleteRuns",
            summary = "Delete several ended runs",
            description =
                    "Deletes at most 1,000 ended runs with all their figures and models, by their"
                            + " ids, or those that fulfill a filter if they are as many as expected."
                            + " The answer tells for each run what happened; a rejected run does"
                            + " not stop the others.")
    @ApiResponse(responseCode = "200", description = "What happened to each run")
    @ApiResponse(
            responseCode = "412",
            description = "Another number of runs fulfills the filter; none was changed")
    @PostMapping("/delete")
    RunBatches.ChangedRuns delete(
            @AuthenticationPrincipal Caller.User caller,
            @Valid @RequestBody RunBatches.RunSelection selection) {
        return batches.remove(caller, selection);
    }
}
