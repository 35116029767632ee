package dev.equipoise.launcher;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** Formats the outcome of the runs of a command. */
final class RunReport {

    private RunReport() {}

    /**
     * Returns the reasons of failures, and below them the tables of the comparison, unless no run
     * completed.
     */
    static String of(JsonNode comparison, List<String> failures) {
        String reasons = failures.isEmpty() ? "" : String.join("\n", failures) + "\n";
        boolean hasFigures = failures.size() < comparison.path("runs").size();
        return hasFigures
                ? reasons + (reasons.isEmpty() ? "" : "\n") + ComparisonReport.of(comparison)
                : reasons;
    }
}
