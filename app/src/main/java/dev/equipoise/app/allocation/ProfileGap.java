package dev.equipoise.app.allocation;

import dev.equipoise.app.measurement.Profiles;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.protocol.WorkerId;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Speed functions that a run needs and that are not measured yet.
 *
 * @param company co-located workers, which are measured at the same time
 * @param parts what to measure on each worker
 */
public record ProfileGap(List<LabWorker> company, Map<WorkerId, Profiles.Requirement> parts) {

    public ProfileGap {
        company = List.copyOf(company);
        parts = Map.copyOf(parts);
    }

    static ProfileGap of(List<LabWorker> company, Function<LabWorker, Profiles.Requirement> part) {
        return new ProfileGap(
                company, company.stream().collect(Collectors.toMap(LabWorker::id, part)));
    }

    /** A gap of whole speed functions, of workers without an emulated slowdown. */
    public static ProfileGap ofWholeRange(List<LabWorker> company) {
        return of(company, _ -> new Profiles.Requirement(null, 1));
    }
}
