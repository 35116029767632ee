package dev.equipoise.app.profile;

import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.Points;
import dev.equipoise.protocol.WorkerId;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A profile as clients see it.
 *
 * @param number counts the profiles of the worker and the network, from 1
 * @param host the worker's machine as it was then
 * @param session the same for all workers that measured at the same time, on one machine
 * @param company how many these were
 * @param load what they computed at the same time, in percent of a worker at full speed
 * @param progress from 0 to 1, which means complete
 * @param failure null also where somebody has cancelled it
 */
@Schema(name = "Profile")
record ProfileView(
        UUID id,
        WorkerId worker,
        String network,
        int number,
        ProfileOrigin origin,
        HostDescription host,
        UUID session,
        int company,
        int load,
        ProfileState state,
        double progress,
        List<Curve> curves,
        @Nullable String failure,
        Instant requestedAt,
        @Nullable Instant finishedAt) {

    /** What was asked for and the points measured so far, by ascending size. */
    record Curve(Kernel kernel, Points wanted, List<MeasuredPoint> points) {}
}
