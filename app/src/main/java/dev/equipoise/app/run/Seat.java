package dev.equipoise.app.run;

import dev.equipoise.protocol.WorkerId;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one rank of a placed run is given.
 *
 * @param share samples an epoch
 * @param room samples of a round for which the worker has memory
 * @param stepSeconds predicted time of a training step, or null where no profile tells
 * @param profiles that told the worker's speed
 */
public record Seat(
        WorkerId worker,
        String workerName,
        int share,
        int room,
        @Nullable Double stepSeconds,
        List<UUID> profiles) {

    public Seat {
        profiles = List.copyOf(profiles);
    }

    public Seat(
            WorkerId worker, String workerName, int share, int room, @Nullable Double stepSeconds) {
        this(worker, workerName, share, room, stepSeconds, List.of());
    }

    public Seat by(List<UUID> others) {
        return new Seat(worker, workerName, share, room, stepSeconds, others);
    }
}
