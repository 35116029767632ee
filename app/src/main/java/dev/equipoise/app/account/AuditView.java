package dev.equipoise.app.account;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who changed what.
 *
 * @param id grows with time
 * @param actor the name that whoever did it had
 * @param token by which it was done
 */
@Schema(name = "AuditEntry")
record AuditView(
        long id,
        Instant at,
        String actor,
        @Nullable UUID user,
        @Nullable UUID token,
        String action,
        String kind,
        String subject,
        @Nullable UUID project,
        Map<String, Object> detail) {}
