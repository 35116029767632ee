package dev.equipoise.app.schedule;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.checkpoint.Checkpoints;
import dev.equipoise.app.run.Runs;
import dev.equipoise.protocol.RunId;
import java.util.List;
import java.util.UUID;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** What users see of checkpoints; their weights are the agents' own. */
@RestController
class KeptCheckpointController {

    private final Runs runs;
    private final Checkpoints checkpoints;

    KeptCheckpointController(Runs runs, Checkpoints checkpoints) {
        this.runs = runs;
        this.checkpoints = checkpoints;
    }

    /** At most a few: the newest is kept, and none once the run is over. */
    record CheckpointList(List<Checkpoints.Kept> items) {}

    /** The checkpoints that are kept of a run. */
    @GetMapping("/api/v1/runs/{id}/checkpoints")
    CheckpointList of(@AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        RunId run = RunId.of(id);
        runs.find(caller, run);
        return new CheckpointList(checkpoints.of(run));
    }
}
