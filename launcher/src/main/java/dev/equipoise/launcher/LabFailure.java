package dev.equipoise.launcher;

/** What ends a command; the message is one sentence for the user. */
final class LabFailure extends RuntimeException {

    LabFailure(String sentence) {
        super(sentence);
    }

    LabFailure(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
