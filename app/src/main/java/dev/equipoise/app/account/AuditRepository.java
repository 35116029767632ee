package dev.equipoise.app.account;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/** Adds and reads entries; it cannot change or delete them. */
interface AuditRepository extends Repository<AuditEntry, Long> {

    AuditEntry save(AuditEntry entry);

    @Query(
            """
            select it from AuditEntry it
            where (:project is null or it.projectId = :project) and it.id < :before
            order by it.id desc
            """)
    List<AuditEntry> search(@Nullable UUID project, long before, Limit limit);
}
