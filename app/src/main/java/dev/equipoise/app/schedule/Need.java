package dev.equipoise.app.schedule;

import dev.equipoise.app.profile.Profiles;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.protocol.WorkerId;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Speeds that are missing.
 *
 * @param company workers of one machine, which measure at the same time
 * @param parts what is needed of each
 */
record Need(List<LabWorker> company, Map<WorkerId, Profiles.Part> parts) {

    Need {
        company = List.copyOf(company);
        parts = Map.copyOf(parts);
    }

    static Need of(List<LabWorker> company, Function<LabWorker, Profiles.Part> part) {
        return new Need(company, company.stream().collect(Collectors.toMap(LabWorker::id, part)));
    }

    /** Of workers that the run does not slow down. */
    static Need ofWholeRange(List<LabWorker> company) {
        return of(company, _ -> new Profiles.Part(null, 1));
    }
}
