package dev.equipoise.app.account;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import java.time.Clock;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Guards the administrator credentials, of which every change must leave at least one: an
 * administrator with a password, or a service account token of an administrator. A user of an
 * identity provider does not count, since the provider may disappear.
 */
@Component
class Administrators {

    private final UserRepository users;
    private final TokenRepository tokens;
    private final Clock clock;

    Administrators(UserRepository users, TokenRepository tokens, Clock clock) {
        this.users = users;
        this.tokens = tokens;
        this.clock = clock;
    }

    /**
     * Makes a change that may remove an administrator credential, and excludes concurrent changes:
     * two transactions that each remove one would both still see the other's.
     *
     * @throws Problem {@code illegal-state} if the change removes the last one
     */
    @Transactional(propagation = Propagation.MANDATORY)
    <T> T keepOne(Supplier<T> change) {
        lock();
        boolean hadOne = hasOne();
        T changed = change.get();
        users.flush();
        if (hadOne && !hasOne()) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "The lab must keep an administrator with a password, or an administrator's"
                            + " service account token that has not expired");
        }
        return changed;
    }

    /**
     * Prevents other transactions from removing or creating administrator credentials until this
     * one ends.
     */
    @Transactional(propagation = Propagation.MANDATORY)
    void lock() {
        users.lockAdministrators();
    }

    private boolean hasOne() {
        return users.existsByAdministratorTrueAndDisabledFalseAndPasswordIsNotNull()
                || tokens.existsOfAdministrator(clock.instant());
    }
}
