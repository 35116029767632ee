package dev.equipoise.app.account;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the audit log.
 *
 * @param id number of the entry; later entries have higher ones
 * @param at time of the change
 * @param actor the name of the actor at that time
 * @param user id of the user; null for a service account or the service itself
 * @param token the token that the actor used
 * @param action kind of the change, for example {@code run-cancelled}
 * @param kind kind of the subject, for example {@code run}
 * @param subject id of the subject
 * @param project project of the subject; null if it belongs to the lab
 * @param detail further facts, by name; never a secret
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
