package dev.equipoise.agent.dataset;

/** A user's own files break a rule, or do not hold what the definition says. */
public final class DatasetInvalid extends RuntimeException {
    DatasetInvalid(String message) {
        super(message);
    }
}
