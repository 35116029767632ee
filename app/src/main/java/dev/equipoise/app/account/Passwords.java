package dev.equipoise.app.account;

import dev.equipoise.app.computing.ComputingThread;
import jakarta.annotation.PreDestroy;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.argon2.Argon2PasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.stereotype.Component;

/**
 * Passwords, kept as Argon2id makes them (RFC 9106), which takes 16 MiB and some tens of
 * milliseconds: one at a time, and not on the threads of requests.
 */
@Component
class Passwords {

    private static final int MOST_WAITING = 32;

    private final PasswordEncoder encoder = Argon2PasswordEncoder.defaultsForSpringSecurity_v5_8();
    private final ComputingThread thread = new ComputingThread("signing in", MOST_WAITING);

    /** Nobody's, so that a name that is not known takes as long as one that is. */
    private final EncodedPassword nobodys = encode("");

    final EncodedPassword encode(String password) {
        return new EncodedPassword(thread.call(() -> String.valueOf(encoder.encode(password))));
    }

    /**
     * Whether a password is the one that was encoded.
     *
     * @param encoded null where there is none, which nothing matches
     */
    boolean matches(String password, @Nullable EncodedPassword encoded) {
        EncodedPassword against = encoded == null ? nobodys : encoded;
        return thread.call(() -> encoder.matches(password, against.text())) && encoded != null;
    }

    @PreDestroy
    void close() {
        thread.close();
    }
}
