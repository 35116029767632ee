package dev.equipoise.launcher;

/** The service was not to be reached, or was not itself; what it does meanwhile nobody knows. */
final class NoAnswer extends LabFailure {

    private static final long serialVersionUID = 1;

    NoAnswer(Throwable cause) {
        super("the service does not answer: " + cause.getMessage(), cause);
    }
}
