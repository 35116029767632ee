package dev.equipoise.agent.collective;

/**
 * Thrown when the ranks cannot form the requested topology; the message names the violated rule.
 */
public final class TopologyImpossible extends RuntimeException {

    private static final long serialVersionUID = 1;

    TopologyImpossible(String message) {
        super(message);
    }
}
