package dev.equipoise.benchmarks;

/** Thrown if a benchmark cannot run; the message has the reason. */
public final class BenchFailed extends RuntimeException {

    public BenchFailed(String message) {
        super(message);
    }

    public BenchFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
