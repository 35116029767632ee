package dev.equipoise.app;

/** The embedded database cannot be had; the message is a sentence for the user. */
final class DatabaseUnavailable extends RuntimeException {

    DatabaseUnavailable(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
