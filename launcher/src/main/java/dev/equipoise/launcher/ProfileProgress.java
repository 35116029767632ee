package dev.equipoise.launcher;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** Reads the progress of profiles from their descriptions in the API. */
final class ProfileProgress {

    private ProfileProgress() {}

    static Progress.State of(List<JsonNode> profiles) {
        profiles.forEach(ProfileProgress::requireNotFailed);
        long complete =
                profiles.stream()
                        .filter(profile -> profile.path("state").asString().equals("COMPLETE"))
                        .count();
        double progress =
                profiles.stream()
                        .mapToDouble(profile -> profile.path("progress").asDouble())
                        .average()
                        .orElse(1);
        return new Progress.State(
                progress, "%d of %d complete".formatted(complete, profiles.size()));
    }

    private static void requireNotFailed(JsonNode profile) {
        if (List.of("FAILED", "CANCELLED").contains(profile.path("state").asString())) {
            throw new LabFailure(
                    "a worker could not be profiled: " + profile.path("failure").asString());
        }
    }
}
