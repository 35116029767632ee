package dev.equipoise.app.account;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A change, as the audit log records it.
 *
 * @param action for example {@code run-cancelled}
 * @param kind of the subject, for example {@code run}
 * @param project that the subject belongs to; null if it belongs to the lab
 * @param detail further facts; never a secret
 */
public record Change(
        String action,
        String kind,
        String subject,
        @Nullable UUID project,
        Map<String, Object> detail) {

    public Change {
        detail = Map.copyOf(detail);
    }

    /** Creates a change of a subject of the lab. */
    public static Change of(String action, String kind, Object subject) {
        return new Change(action, kind, subject.toString(), null, Map.of());
    }

    /** Returns this change with a project; null stands for the lab. */
    public Change in(@Nullable UUID owner) {
        return new Change(action, kind, subject, owner, detail);
    }

    /** Returns this change with a detail, which is omitted if null. */
    public Change with(String name, @Nullable Object value) {
        if (value == null) {
            return this;
        }
        Map<String, Object> more = new LinkedHashMap<>(detail);
        more.put(name, value);
        return new Change(action, kind, subject, project, more);
    }
}
