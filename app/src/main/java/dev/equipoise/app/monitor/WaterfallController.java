package dev.equipoise.app.monitor;

import dev.equipoise.app.account.Caller;
import dev.equipoise.protocol.RunId;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.UUID;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** API of the waterfalls of runs. */
@Tag(name = "Runs")
@RestController
@RequestMapping("/api/v1")
class WaterfallController {

    private final Waterfalls waterfalls;

    WaterfallController(Waterfalls waterfalls) {
        this.waterfalls = waterfalls;
    }

    /** Returns the time of a run from its submission to its end, in segments that sum to it. */
    @GetMapping("/runs/{id}/waterfall")
    Waterfall getWaterfall(@AuthenticationPrincipal Caller.User caller, @PathVariable UUID id) {
        return waterfalls.find(caller, RunId.of(id));
    }
}
