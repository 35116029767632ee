package dev.equipoise.app.measurement;

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
 * A profile in the API.
 *
 * @param id id of the profile
 * @param worker id of the measured worker
 * @param network preset whose training step is measured
 * @param number number among the profiles of the worker and the network, from 1
 * @param origin whether the profile was measured here or imported
 * @param host the worker's host at the request
 * @param session id that all co-located workers have in common that measured at the same time
 * @param company number of these workers
 * @param load host load of these workers, in percent of one worker at full speed
 * @param state state of the measurement
 * @param progress completed part, from 0 to 1
 * @param curves points by kernel
 * @param failure null if it did not fail, or was canceled on request
 * @param requestedAt time of the request
 * @param finishedAt time of the end; null before
 * @param stale changes of the worker's host since, such as {@code processors 8, now 16}: neither
 *     shares nor predictions use the profile any more; empty while it applies
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
        MeasurementState state,
        double progress,
        List<Curve> curves,
        @Nullable String failure,
        Instant requestedAt,
        @Nullable Instant finishedAt,
        List<String> stale) {

    /**
     * The requested points and the measured ones so far, by ascending size.
     *
     * @param kernel measured kernel
     * @param wanted requested points
     * @param points measured points so far
     */
    record Curve(Kernel kernel, Points wanted, List<MeasuredPoint> points) {}
}
