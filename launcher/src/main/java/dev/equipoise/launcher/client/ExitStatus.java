package dev.equipoise.launcher.client;

/** Exit statuses of all commands. */
final class ExitStatus {

    /** The command has done what it was asked for. */
    static final int OK = 0;

    /** The service, a run or the machine failed; a sentence on standard error tells why. */
    static final int FAILED = 1;

    /** The command line or a definition is wrong. */
    static final int USAGE = 2;

    private ExitStatus() {}
}
