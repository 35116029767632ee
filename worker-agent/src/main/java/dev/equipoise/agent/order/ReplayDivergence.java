package dev.equipoise.agent.order;

/** Thrown when an execution order cannot be recorded, or cannot be followed. */
public final class ReplayDivergence extends RuntimeException {

    public ReplayDivergence(String message) {
        super(message);
    }
}
