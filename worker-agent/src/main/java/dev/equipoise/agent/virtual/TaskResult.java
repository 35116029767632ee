package dev.equipoise.agent.virtual;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** The result of work on another thread: a value or a failure. */
sealed interface TaskResult<T extends @Nullable Object> {

    /**
     * Returns the value.
     *
     * @throws RuntimeException the failure of the work; checked exceptions are wrapped
     */
    T get();

    /** Runs the work; any exception becomes a failure. */
    static <T extends @Nullable Object> TaskResult<T> of(Callable<T> work) {
        try {
            return new Value<>(work.call());
        } catch (Throwable failure) {
            return new Failure<>(failure);
        }
    }

    record Value<T extends @Nullable Object>(T value) implements TaskResult<T> {
        @Override
        public T get() {
            return value;
        }
    }

    record Failure<T extends @Nullable Object>(Throwable cause) implements TaskResult<T> {
        @Override
        public T get() {
            throw unchecked();
        }

        /** Returns an exception to be thrown; throws errors itself. */
        RuntimeException unchecked() {
            return switch (cause) {
                case RuntimeException exception -> exception;
                case Error error -> throw error;
                default -> new CompletionException(cause);
            };
        }
    }
}
