package dev.equipoise.launcher.interrupt;

/** The runs of a command that have not ended, and what becomes of them when the command ends. */
public interface OpenRuns {

    /** The runs of a command that has submitted none. */
    OpenRuns NONE =
            new OpenRuns() {
                @Override
                public int count() {
                    return 0;
                }

                @Override
                public void leave() {}

                @Override
                public void cancel() {}
            };

    int count();

    /** Lets the runs continue, and tells the user how to find them again. */
    void leave();

    void cancel();
}
