package dev.equipoise.app.measurement;

import dev.equipoise.protocol.WorkerId;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A link measurement in the API.
 *
 * @param id id of the measurement
 * @param workers ids of the measured workers
 * @param state state of the measurement
 * @param failure reason of a failure; null if it did not fail
 * @param requestedAt time of the request
 * @param finishedAt time of the end; null before
 */
@Schema(name = "LinkMeasurement")
record LinkMeasurementView(
        UUID id,
        List<WorkerId> workers,
        MeasurementState state,
        @Nullable String failure,
        Instant requestedAt,
        @Nullable Instant finishedAt) {}
