package dev.equipoise.app.dispatch;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.checkpoint.Checkpoints;
import dev.equipoise.app.run.Runs;
import dev.equipoise.protocol.RunId;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.UUID;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The API by which users list the checkpoints of a run; only agents download the parts. */
@Tag(name = "Runs")
@RestController
class CheckpointListController {

    private final Runs runs;
    private final Checkpoints checkpoints;

    CheckpointListController(Runs runs, Checkpoints checkpoints) {
        this.runs = runs;
        this.checkpoints = checkpoints;
    }

    /**
     * A list without pages: a run keeps its newest checkpoints, and none after its end.
     *
     * @param items checkpoints of the run, the newest first
     */
    record CheckpointList(List<Checkpoints.StoredCheckpoint> items) {}

    /** Lists the checkpoints of a run, from which it can continue. */
    @GetMapping("/api/v1/runs/{id}/checkpoints")
    CheckpointList listCheckpoints(
            @AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        RunId run = RunId.of(id);
        runs.find(caller, run);
        return new CheckpointList(checkpoints.of(run));
    }
}
