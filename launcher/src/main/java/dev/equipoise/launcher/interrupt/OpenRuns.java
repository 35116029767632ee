package dev.equipoise.launcher.interrupt;

/** The runs of a command that have not ended, and what becomes of them when the command ends. */
public interface OpenRuns {

    int count();

    /** Lets the runs continue, and tells the user how to find them again. */
    void leave();

    void cancel();
}
