package dev.equipoise.app.profile;

import dev.equipoise.protocol.WorkerId;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A measurement of links as clients see it. */
@Schema(name = "LinkMeasurement")
record LinkMeasurementView(
        UUID id,
        List<WorkerId> workers,
        ProfileState state,
        @Nullable String failure,
        Instant requestedAt,
        @Nullable Instant finishedAt) {}
