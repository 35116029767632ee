package dev.equipoise.agent.virtual;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** What has become of work that was done elsewhere. */
sealed interface Outcome<T extends @Nullable Object> {

    /**
     * The value.
     *
     * @throws RuntimeException what the work has thrown; wrapped where that was checked
     */
    T get();

    /** Does the work; whatever it throws is an outcome as well. */
    static <T extends @Nullable Object> Outcome<T> of(Callable<T> work) {
        try {
            return new Value<>(work.call());
        } catch (Throwable failure) {
            return new Failure<>(failure);
        }
    }

    record Value<T extends @Nullable Object>(T value) implements Outcome<T> {
        @Override
        public T get() {
            return value;
        }
    }

    record Failure<T extends @Nullable Object>(Throwable cause) implements Outcome<T> {
        @Override
        public T get() {
            throw unchecked();
        }

        /** To be thrown; throws errors itself. */
        RuntimeException unchecked() {
            return switch (cause) {
                case RuntimeException exception -> exception;
                case Error error -> throw error;
                default -> new CompletionException(cause);
            };
        }
    }
}
