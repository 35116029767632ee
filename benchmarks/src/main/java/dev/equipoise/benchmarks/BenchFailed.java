package dev.equipoise.benchmarks;

/** A benchmark could not be run; the message says why. */
public final class BenchFailed extends RuntimeException {

    public BenchFailed(String message) {
        super(message);
    }

    public BenchFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
