package dev.equipoise.app.account;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Proves to the service who signs in. */
sealed interface SignInProof {

    /** Name and password of a user. */
    record Password(String name, String password) implements SignInProof {

        @Override
        public String toString() {
            return "Password[%s]".formatted(name);
        }
    }

    /** The text of an API token. */
    record Token(String text) implements SignInProof {

        @Override
        public String toString() {
            return "Token[...]";
        }
    }

    /** The one-time code of a sign-in link. */
    record Code(String text) implements SignInProof {

        @Override
        public String toString() {
            return "Code[...]";
        }
    }

    /** Returns the name that is tried; null if the proof has none. */
    default @Nullable String name() {
        return null;
    }

    /**
     * Returns the only proof of a request.
     *
     * @throws Problem {@code invalid-request} if there is none, or more than one
     */
    static SignInProof of(
            @Nullable String name,
            @Nullable String password,
            @Nullable String token,
            @Nullable String code) {
        if (name != null && password != null && token == null && code == null) {
            return new Password(name, password);
        }
        if (name != null || password != null || (token == null) == (code == null)) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    List.of(
                            new Violation(
                                    "",
                                    "must have either name and password, or token, or code",
                                    null)));
        }
        return token == null ? new Code(Objects.requireNonNull(code)) : new Token(token);
    }
}
