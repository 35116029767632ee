package dev.equipoise.app.account;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Notes in the audit from where too many attempts to sign in came. Whoever tries on writes no more
 * of it: an address is noted once in an hour, and no more than some of them, as the audit is kept
 * for ever. What is known of it is this instance's own, as the attempts are.
 */
@Component
class LockOuts {

    static final int MOST_AN_HOUR = 100;
    private static final Duration ONCE_IN = Duration.ofHours(1);

    private final Map<String, Instant> noted = new HashMap<>();
    private final UserRepository users;
    private final Audit audit;
    private final Clock clock;

    LockOuts(UserRepository users, Audit audit, Clock clock) {
        this.users = users;
        this.audit = audit;
        this.clock = clock;
    }

    /**
     * An attempt was turned away unseen.
     *
     * @param name that was tried; told only where it is a user's, as people type passwords in its
     *     place
     */
    @Transactional
    void note(String name, String address) {
        if (!isNews(address)) {
            return;
        }
        audit.noteOfNobody(
                Change.of("sign-in-locked-out", "address", address)
                        .with(
                                "name",
                                users.findByNameIgnoreCase(name).map(LabUser::name).orElse(null)));
    }

    private synchronized boolean isNews(String address) {
        Instant now = clock.instant();
        noted.values().removeIf(at -> !at.plus(ONCE_IN).isAfter(now));
        return noted.size() < MOST_AN_HOUR && noted.putIfAbsent(address, now) == null;
    }
}
