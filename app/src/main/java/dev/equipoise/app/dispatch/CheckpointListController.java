package dev.equipoise.app.dispatch;

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

/** The API by which users list the checkpoints of a run; only agents download the parts. */
@RestController
class CheckpointListController {

    private final Runs runs;
    private final Checkpoints checkpoints;

    CheckpointListController(Runs runs, Checkpoints checkpoints) {
        this.runs = runs;
        this.checkpoints = checkpoints;
    }

    /** A list without pages: a run keeps its newest checkpoints, and none after its end. */
    record CheckpointList(List<Checkpoints.StoredCheckpoint> items) {}

    @GetMapping("/api/v1/runs/{id}/checkpoints")
    CheckpointList of(@AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        RunId run = RunId.of(id);
        runs.find(caller, run);
        return new CheckpointList(checkpoints.of(run));
    }
}
