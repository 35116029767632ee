package dev.equipoise.app.measurement;

import dev.equipoise.app.measurement.WorkerSpeeds.WorkerSpeedList;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The API that compares the speeds of workers. */
@Tag(name = "Profiles")
@RestController
@RequestMapping("/api/v1/workers/speeds")
class WorkerSpeedController {

    private static final int MAX_NAME = 100;

    private final WorkerSpeeds speeds;

    WorkerSpeedController(WorkerSpeeds speeds) {
        this.speeds = speeds;
    }

    /**
     * Compares the speeds of the live workers in training steps of one network, the fastest first.
     *
     * @param network network whose training step was measured; the one that was measured last by
     *     default
     */
    @GetMapping
    WorkerSpeedList listWorkerSpeeds(
            @RequestParam(required = false) @Size(max = MAX_NAME) @Nullable String network) {
        return speeds.of(network);
    }
}
