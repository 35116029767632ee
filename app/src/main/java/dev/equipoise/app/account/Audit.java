package dev.equipoise.app.account;

import java.time.Clock;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * The audit log: records each change by a user or an agent and its time. The database prevents
 * changes of entries. An entry is written in the transaction of its change, so that neither exists
 * without the other.
 */
@Component
public class Audit {

    private final AuditRepository entries;
    private final Clock clock;

    Audit(AuditRepository entries, Clock clock) {
        this.entries = entries;
        this.clock = clock;
    }

    /** Records a change that a caller makes in the current transaction. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void note(Caller caller, Change change) {
        switch (caller) {
            case Caller.User user ->
                    entries.save(
                            new AuditEntry(
                                    clock.instant(),
                                    user.name(),
                                    user.account(),
                                    user.credential(),
                                    change));
            case Caller.Newcomer newcomer ->
                    entries.save(
                            new AuditEntry(
                                    clock.instant(),
                                    newcomer.getName(),
                                    null,
                                    newcomer.token(),
                                    change));
            case Caller.Agent _, Caller.DepartedAgent _ ->
                    entries.save(
                            new AuditEntry(clock.instant(), caller.getName(), null, null, change));
        }
    }

    /**
     * Records the arrival of a user or a service account before its request is authenticated.
     *
     * @param user null for a service account
     * @param token the API token with which it arrives; null without one
     */
    @Transactional(propagation = Propagation.MANDATORY)
    void noteArrival(String actor, @Nullable UUID user, @Nullable UUID token, Change change) {
        entries.save(new AuditEntry(clock.instant(), actor, user, token, change));
    }

    /** Records an event of an unknown actor. */
    @Transactional(propagation = Propagation.MANDATORY)
    void noteOfNobody(Change change) {
        entries.save(new AuditEntry(clock.instant(), "nobody", null, null, change));
    }

    /**
     * Returns entries, newest first.
     *
     * @param project null for the whole lab
     * @param before an entry's id: only older entries are returned
     */
    @Transactional(readOnly = true)
    List<AuditView> read(@Nullable UUID project, long before, int limit) {
        return entries.search(project, before, Limit.of(limit)).stream()
                .map(AuditEntry::view)
                .toList();
    }
}
