package dev.equipoise.agent.dataset;

/** Thrown when a user's files break a rule or do not match the definition. */
public final class DatasetInvalid extends RuntimeException {
    DatasetInvalid(String message) {
        super(message);
    }
}
