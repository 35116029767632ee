package dev.equipoise.app.mlflow;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.configuration.StoredExperiment;
import dev.equipoise.app.experiment.Experiments;
import dev.equipoise.app.run.FinishedRuns;
import dev.equipoise.app.run.FinishedRuns.Outcome;
import dev.equipoise.app.run.RunView;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.constraints.Min;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/**
 * API that exports ended experiments to a tracking server of MLflow. The response is written run by
 * run while it is read.
 */
@Tag(name = "Experiments")
@RestController
@RequestMapping("/api/v1/experiments/{id}")
class MlflowController {

    private static final String LINES = "application/x-ndjson";

    private final Experiments experiments;
    private final FinishedRuns runs;
    private final JsonMapper json;

    MlflowController(Experiments experiments, FinishedRuns runs, JsonMapper json) {
        this.experiments = experiments;
        this.runs = runs;
        this.json = json;
    }

    /**
     * Returns an experiment whose runs have ended as calls of the REST API of MLflow.
     *
     * @param version version of the experiment; the latest without it
     */
    @ApiResponse(
            responseCode = "200",
            description = "Calls for a tracking server, one per line, in their order",
            content = @Content(mediaType = LINES, schema = @Schema(type = "string")))
    @ApiResponse(responseCode = "409", description = "A run of the experiment has not ended")
    @GetMapping("/mlflow")
    void exportMlflowCalls(
            @AuthenticationPrincipal Caller.User caller,
            @PathVariable UUID id,
            @RequestParam(required = false) @Min(1) @Nullable Integer version,
            HttpServletResponse response)
            throws IOException {
        StoredExperiment experiment = experiments.find(caller, id, version);
        List<Outcome> finished = runs.all(caller, experiment);
        response.setContentType(LINES);
        OutputStream out = response.getOutputStream();
        write(MlflowCall.create(TrackedExperiment.of(experiment)), out);
        for (Outcome each : finished) {
            write(MlflowCall.of(tracked(caller, experiment, each)), out);
        }
    }

    private void write(List<MlflowCall> calls, OutputStream out) throws IOException {
        for (MlflowCall call : calls) {
            write(call, out);
        }
    }

    private void write(MlflowCall call, OutputStream out) throws IOException {
        out.write((json.writeValueAsString(call) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private TrackedRun tracked(Caller.User caller, StoredExperiment experiment, Outcome outcome) {
        RunView run = runs.find(caller, outcome.run());
        return TrackedRun.of(experiment, run, json.valueToTree(run.configuration()));
    }
}
