package dev.equipoise.app.run;

import dev.equipoise.protocol.WorkerId;
import org.jspecify.annotations.Nullable;

/**
 * What one rank of a placed run is given.
 *
 * @param share samples an epoch
 * @param room samples of a round for which the worker has memory
 * @param stepSeconds predicted time of a training step, or null where no profile tells
 */
public record Seat(
        WorkerId worker, String workerName, int share, int room, @Nullable Double stepSeconds) {}
