package dev.equipoise.launcher;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** Reads the progress of profiles from their descriptions. */
final class ProfileProgress {

    private ProfileProgress() {}

    static Progress.State of(List<JsonNode> profiles) {
        int done = 0;
        int all = 0;
        boolean complete = true;
        for (JsonNode profile : profiles) {
            String state = profile.path("state").asString();
            if (state.equals("FAILED")) {
                throw new LabFailure(
                        "a worker could not be profiled: " + profile.path("failure").asString());
            }
            complete &= state.equals("COMPLETE");
            for (JsonNode curve : profile.path("curves")) {
                done += curve.path("points").size();
                all += curve.path("sizes").size();
            }
        }
        double fraction = all == 0 ? 0 : Math.min(0.999, done / (double) all);
        return new Progress.State(complete ? 1 : fraction, "%d of %d points".formatted(done, all));
    }
}
