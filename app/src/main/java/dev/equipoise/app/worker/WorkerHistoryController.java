package dev.equipoise.app.worker;

import dev.equipoise.app.worker.WorkerHistory.HistoryView;
import dev.equipoise.protocol.WorkerId;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Clock;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The API that shows the history of a worker. */
@Tag(name = "Workers")
@RestController
@RequestMapping("/api/v1/workers/{id}/history")
class WorkerHistoryController {

    private final WorkerHistory history;
    private final Clock clock;

    WorkerHistoryController(WorkerHistory history, Clock clock) {
        this.history = history;
        this.clock = clock;
    }

    /**
     * Returns load, used memory and states of a worker over time. Samples are one a minute for a
     * day, one in ten minutes for a week, and one an hour until {@code equipoise.worker.history}.
     *
     * @param from begin; a day before {@code to} by default
     * @param to end; now by default
     * @param buckets number of equal parts in which samples are combined
     */
    @GetMapping
    HistoryView getWorkerHistory(
            @PathVariable UUID id,
            @RequestParam(required = false) @Nullable Instant from,
            @RequestParam(required = false) @Nullable Instant to,
            @RequestParam(defaultValue = "144") @Min(1) @Max(1000) int buckets) {
        return history.of(WorkerId.of(id), HistoryWindow.of(from, to, buckets, clock.instant()));
    }
}
