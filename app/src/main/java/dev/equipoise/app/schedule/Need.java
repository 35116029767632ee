package dev.equipoise.app.schedule;

import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.protocol.WorkerId;
import java.util.List;
import java.util.Map;

/**
 * Speeds that are missing.
 *
 * @param company workers of one machine, which measure at the same time
 * @param sizes the mini-batches at which they do; none for the whole range
 */
record Need(List<LabWorker> company, Map<WorkerId, Integer> sizes) {

    Need {
        company = List.copyOf(company);
        sizes = Map.copyOf(sizes);
    }

    static Need ofWholeRange(List<LabWorker> company) {
        return new Need(company, Map.of());
    }
}
