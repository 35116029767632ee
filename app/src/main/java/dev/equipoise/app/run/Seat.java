package dev.equipoise.app.run;

import dev.equipoise.protocol.WorkerId;
import org.jspecify.annotations.Nullable;

/**
 * What one rank of a placed run is given.
 *
 * @param share samples an epoch
 * @param stepSeconds predicted time of a training step, or null where no profile tells
 */
public record Seat(WorkerId worker, String workerName, int share, @Nullable Double stepSeconds) {}
