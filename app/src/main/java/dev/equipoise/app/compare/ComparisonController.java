package dev.equipoise.app.compare;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.run.Runs;
import dev.equipoise.protocol.RunId;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.UUID;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Comparisons of runs. */
@RestController
@RequestMapping("/api/v1/comparisons")
class ComparisonController {

    private final Runs runs;

    ComparisonController(Runs runs) {
        this.runs = runs;
    }

    /** The first run is the baseline. */
    @GetMapping
    Comparison compare(
            @AuthenticationPrincipal Caller.User caller,
            @RequestParam @Size(min = 1, max = 100) List<UUID> runs) {
        return Comparison.of(
                runs.stream().map(id -> this.runs.find(caller, RunId.of(id))).toList());
    }
}
