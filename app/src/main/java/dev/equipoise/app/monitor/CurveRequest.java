package dev.equipoise.app.monitor;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.app.telemetry.EpochMetric;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Query for the curves of a metric.
 *
 * @param ranks ranks whose curves are wanted; empty for all
 * @param from first position on the axis; null for the beginning of the curve
 * @param to last position on the axis; null for the end of the curve
 * @param buckets limit of the buckets of each curve
 */
record CurveRequest(
        String metric,
        List<Integer> ranks,
        Axis axis,
        @Nullable Double from,
        @Nullable Double to,
        int buckets) {

    /** Limit of all curves of a response together: about 10 MB. */
    static final int MAX_BUCKETS = 100_000;

    CurveRequest {
        ranks = ranks.stream().distinct().sorted().toList();
        List<Violation> violations = new ArrayList<>();
        requireFinite("?from", from, violations);
        requireFinite("?to", to, violations);
        if (from != null && to != null && from > to) {
            violations.add(new Violation("?from", "must be at most to, %s".formatted(to), from));
        }
        if (!ranks.isEmpty() && EpochMetric.of(metric).map(EpochMetric::isOfRun).orElse(false)) {
            violations.add(
                    new Violation(
                            "?rank",
                            "must be left out: %s has one curve for the whole run"
                                    .formatted(metric),
                            ranks));
        }
        if (!violations.isEmpty()) {
            throw Problem.of(ErrorCode.INVALID_REQUEST, violations);
        }
    }

    private static void requireFinite(
            String pointer, @Nullable Double place, List<Violation> violations) {
        if (place != null && !Double.isFinite(place)) {
            violations.add(new Violation(pointer, "must be a finite number", place.toString()));
        }
    }

    double first() {
        return Objects.requireNonNullElse(from, Double.NEGATIVE_INFINITY);
    }

    double last() {
        return Objects.requireNonNullElse(to, Double.POSITIVE_INFINITY);
    }

    /** Returns the first training second on the axis of seconds; no bound on the others. */
    double firstSeconds() {
        return axis == Axis.SECONDS ? first() : Double.NEGATIVE_INFINITY;
    }

    boolean wants(int rank) {
        return ranks.isEmpty() || ranks.contains(rank);
    }
}
