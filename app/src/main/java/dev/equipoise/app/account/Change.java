package dev.equipoise.app.account;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something that somebody changed, as the audit tells of it.
 *
 * @param action for example {@code run-cancelled}
 * @param kind of the subject, for example {@code run}
 * @param project that the subject belongs to; null where it is the lab's
 * @param detail what else matters; never a secret
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

    /** Of something of the lab. */
    public static Change of(String action, String kind, Object subject) {
        return new Change(action, kind, subject.toString(), null, Map.of());
    }

    /** The same of something of a project, or of the lab where it is null. */
    public Change in(@Nullable UUID owner) {
        return new Change(action, kind, subject, owner, detail);
    }

    /** The same with a detail, left out where it is null. */
    public Change with(String name, @Nullable Object value) {
        if (value == null) {
            return this;
        }
        Map<String, Object> more = new LinkedHashMap<>(detail);
        more.put(name, value);
        return new Change(action, kind, subject, project, more);
    }
}
