package dev.equipoise.app.telemetry;

import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;

interface TracePartRepository extends JpaRepository<TracePart, Long> {

    /**
     * Extent of the parts of a run.
     *
     * @param begun beginning of the first slice, in nanoseconds; null if there is none
     * @param dropped number of dropped slices
     */
    record StoredExtent(@Nullable Long begun, @Nullable Long dropped) {}

    @Query("select min(it.begun), sum(it.dropped) from TracePart it where it.runId = :run")
    StoredExtent findExtent(UUID run);

    /** Returns the ids of the parts by thread, in order of time. */
    @Query(
            """
            select it.id from TracePart it
            where it.runId = :run and it.begun is not null
            order by it.rank, it.strand, it.id
            """)
    List<Long> findIds(UUID run);

    @Query(
            """
            select it from TracePart it
            where it.id in :ids
            order by it.rank, it.strand, it.id
            """)
    List<TracePart> findParts(Collection<Long> ids);

    /** Deletes the parts after the epoch to whose end a run goes back. */
    @Modifying
    @Query("delete from TracePart it where it.runId = :run and it.epoch > :epoch")
    void deleteAfter(UUID run, int epoch);
}
