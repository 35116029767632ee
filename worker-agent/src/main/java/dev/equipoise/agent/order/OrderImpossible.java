package dev.equipoise.agent.order;

/** An order of events that cannot be kept, or cannot be followed. */
public final class OrderImpossible extends RuntimeException {

    public OrderImpossible(String message) {
        super(message);
    }
}
