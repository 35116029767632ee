package dev.equipoise.app.run;

import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;

interface TracePartRepository extends JpaRepository<TracePart, Long> {

    /**
     * All parts of a run.
     *
     * @param begun the first slice; null of none
     * @param dropped slices that nobody has
     */
    record Extent(@Nullable Long begun, @Nullable Long dropped) {}

    @Query("select min(it.begun), sum(it.dropped) from TracePart it where it.runId = :run")
    Extent findExtent(UUID run);

    /** Thread by thread, in the order of time. */
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

    /** Those of a run that goes back to the end of an epoch. */
    @Modifying
    @Query("delete from TracePart it where it.runId = :run and it.epoch > :epoch")
    void forgetAfter(UUID run, int epoch);
}
