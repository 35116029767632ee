package dev.equipoise.app.account;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Records in the audit log the addresses that make too many sign-in attempts. The audit log is kept
 * forever, so each address is recorded once per hour, and at most {@value #MAX_PER_HOUR} addresses
 * per hour are recorded. Each instance of the service counts for itself.
 */
@Component
class SignInLockouts {

    static final int MAX_PER_HOUR = 100;
    private static final Duration INTERVAL = Duration.ofHours(1);

    private final Map<String, Instant> recorded = new HashMap<>();
    private final UserRepository users;
    private final Audit audit;
    private final Clock clock;

    SignInLockouts(UserRepository users, Audit audit, Clock clock) {
        this.users = users;
        this.audit = audit;
        this.clock = clock;
    }

    /**
     * Records an attempt that was rejected by the rate limit, before it was checked.
     *
     * @param name the name that was tried; recorded only if it is a user's, since people type
     *     passwords in its place; null for a token or a code
     * @param address from which the attempt came
     */
    @Transactional
    void note(@Nullable String name, String address) {
        if (!isNew(address)) {
            return;
        }
        audit.noteOfNobody(
                Change.of("sign-in-locked-out", "address", address)
                        .with(
                                "name",
                                Optional.ofNullable(name)
                                        .flatMap(users::findByNameIgnoreCase)
                                        .map(LabUser::name)
                                        .orElse(null)));
    }

    private synchronized boolean isNew(String address) {
        Instant now = clock.instant();
        // A record of the future is outdated as well: the clock was set back.
        recorded.values().removeIf(at -> Duration.between(at, now).abs().compareTo(INTERVAL) >= 0);
        return recorded.size() < MAX_PER_HOUR && recorded.putIfAbsent(address, now) == null;
    }
}
