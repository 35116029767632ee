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
 * What people changed, and when. The database lets nobody change a line of it, and a line is
 * written in the transaction of what it tells of: there is never one without the other.
 */
@Component
public class Audit {

    private final AuditRepository entries;
    private final Clock clock;

    Audit(AuditRepository entries, Clock clock) {
        this.entries = entries;
        this.clock = clock;
    }

    /** Notes what a caller changes in the transaction that is under way. */
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
            case Caller.Agent agent ->
                    entries.save(
                            new AuditEntry(clock.instant(), agent.getName(), null, null, change));
        }
    }

    /** Notes that somebody came, by no token. */
    @Transactional(propagation = Propagation.MANDATORY)
    void noteArrival(String actor, UUID user, Change change) {
        entries.save(new AuditEntry(clock.instant(), actor, user, null, change));
    }

    /** Notes what was done by whoever it was. */
    @Transactional(propagation = Propagation.MANDATORY)
    void noteOfNobody(Change change) {
        entries.save(new AuditEntry(clock.instant(), "nobody", null, null, change));
    }

    /**
     * The newest first.
     *
     * @param project null for all of the lab
     * @param before an entry's id: only older ones
     */
    @Transactional(readOnly = true)
    List<AuditView> read(@Nullable UUID project, long before, int limit) {
        return entries.search(project, before, Limit.of(limit)).stream()
                .map(AuditEntry::view)
                .toList();
    }
}
