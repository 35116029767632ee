package dev.equipoise.app.profile;

import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.WorkerId;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A profile as clients see it.
 *
 * @param backend what the worker computed with
 * @param progress from 0 to 1, which means complete
 */
@Schema(name = "Profile")
record ProfileView(
        UUID id,
        WorkerId worker,
        String backend,
        ProfileState state,
        double progress,
        List<Curve> curves,
        @Nullable String failure,
        Instant requestedAt,
        @Nullable Instant finishedAt) {

    /** The sizes asked for and the points measured so far. */
    record Curve(Kernel kernel, List<Integer> sizes, List<MeasuredPoint> points) {}
}
