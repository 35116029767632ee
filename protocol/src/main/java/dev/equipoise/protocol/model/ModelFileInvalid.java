package dev.equipoise.protocol.model;

/** Thrown if bytes are no model file that this version reads; the message says what is wrong. */
public final class ModelFileInvalid extends RuntimeException {

    public ModelFileInvalid(String message) {
        super(message);
    }

    public ModelFileInvalid(String message, Throwable cause) {
        super(message, cause);
    }
}
