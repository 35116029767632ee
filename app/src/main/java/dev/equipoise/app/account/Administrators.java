package dev.equipoise.app.account;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import java.time.Clock;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * The ways in by which somebody runs the lab, of which one is left whatever is changed: a user who
 * is an administrator and has a password here, or an administrator's token that stands for itself.
 * Who signs in at an identity provider is none of them, as the provider may be gone tomorrow.
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
     * Makes a change that may take a way in, while nobody else takes another: two who took one each
     * at the same time would both see the other's.
     *
     * @throws Problem {@code illegal-state} where the last one would be gone
     */
    @Transactional(propagation = Propagation.MANDATORY)
    <T> T keepOne(Supplier<T> change) {
        lock();
        boolean wasOpen = isOpen();
        T changed = change.get();
        users.flush();
        if (wasOpen && !isOpen()) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "The lab would be left without an administrator who has a password here, or a"
                            + " token that stands for itself and has not expired");
        }
        return changed;
    }

    /** Until the transaction ends nobody else takes, or makes, a way in. */
    @Transactional(propagation = Propagation.MANDATORY)
    void lock() {
        users.lockAdministrators();
    }

    private boolean isOpen() {
        return users.existsByAdministratorTrueAndDisabledFalseAndPasswordIsNotNull()
                || tokens.existsOfAdministrator(clock.instant());
    }
}
