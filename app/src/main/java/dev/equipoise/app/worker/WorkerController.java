package dev.equipoise.app.worker;

import dev.equipoise.protocol.WorkerId;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The lab at a glance. */
@RestController
@RequestMapping("/api/v1/workers")
class WorkerController {

    private final Workers workers;

    WorkerController(Workers workers) {
        this.workers = workers;
    }

    record WorkerList(List<LabWorker> items) {}

    @GetMapping
    WorkerList list(
            @RequestParam(defaultValue = "") Set<WorkerState> state,
            @RequestParam(defaultValue = "100") @Min(1) @Max(500) int limit) {
        return new WorkerList(workers.list(state, limit));
    }

    @GetMapping("/{id}")
    LabWorker worker(@PathVariable UUID id) {
        return workers.find(WorkerId.of(id));
    }
}
