package dev.equipoise.agent.collective;

/** These ranks cannot exchange in the way that was asked for; the message says the rule. */
public final class TopologyImpossible extends RuntimeException {

    private static final long serialVersionUID = 1;

    TopologyImpossible(String message) {
        super(message);
    }
}
