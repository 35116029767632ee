package dev.equipoise.app.account;

import dev.equipoise.app.computing.ComputeThread;
import jakarta.annotation.PreDestroy;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.argon2.Argon2PasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.stereotype.Component;

/**
 * Encodes and checks passwords with Argon2id (RFC 9106). An encoding takes 16 MiB of memory and
 * tens of milliseconds; therefore they run one at a time, on a separate thread.
 */
@Component
class Passwords {

    private static final int MAX_WAITING = 32;

    private final PasswordEncoder encoder = Argon2PasswordEncoder.defaultsForSpringSecurity_v5_8();
    private final ComputeThread thread = new ComputeThread("signing in", MAX_WAITING);

    /**
     * Encodes no user's password, so that an unknown name takes as long to check as a known one.
     */
    private final EncodedPassword placeholder = encode("");

    final EncodedPassword encode(String password) {
        return new EncodedPassword(thread.call(() -> String.valueOf(encoder.encode(password))));
    }

    /**
     * Tells whether a password matches an encoded one.
     *
     * @param encoded null if there is none, which no password matches
     */
    boolean matches(String password, @Nullable EncodedPassword encoded) {
        EncodedPassword against = encoded == null ? placeholder : encoded;
        return thread.call(() -> encoder.matches(password, against.text())) && encoded != null;
    }

    @PreDestroy
    void close() {
        thread.close();
    }
}
