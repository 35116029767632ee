package dev.equipoise.app.worker;

import dev.equipoise.protocol.WorkerId;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Shows the history of load, memory and states of workers. */
@Service
class WorkerHistory {

    /** Most intervals of one answer. */
    private static final int MAX_STATES = 1000;

    private final Workers workers;
    private final WorkerSamples samples;

    WorkerHistory(Workers workers, WorkerSamples samples) {
        this.workers = workers;
        this.samples = samples;
    }

    /**
     * History of a worker.
     *
     * @param from begin, inclusive
     * @param to end, exclusive
     * @param load run-queue length of its host; buckets without samples are left out
     * @param memory memory that all programs of its host use, in bytes; empty if its agent does not
     *     report it
     * @param states intervals of its states, oldest first; the newest 1000
     */
    @Schema(name = "WorkerHistory")
    record HistoryView(
            Instant from,
            Instant to,
            List<HistoryPoint> load,
            List<HistoryPoint> memory,
            List<StateInterval> states) {}

    @Transactional(readOnly = true)
    HistoryView of(WorkerId id, HistoryWindow window) {
        WorkerId worker = workers.show(id).id();
        List<WorkerSample> all = samples.between(worker, window.from(), window.to());
        return new HistoryView(
                window.from(),
                window.to(),
                window.points(all, WorkerSample::load),
                window.points(all, WorkerSample::usedMemoryBytes),
                window.intervals(samples.changes(worker, window.to(), MAX_STATES)));
    }
}
