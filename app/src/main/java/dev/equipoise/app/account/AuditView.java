package dev.equipoise.app.account;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the audit log.
 *
 * @param id increases with time
 * @param actor the name of the actor at that time
 * @param token the token that the actor used
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
