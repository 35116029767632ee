package dev.equipoise.launcher.interrupt;

/** The runs of a command that has submitted none. */
public record NoRuns() implements OpenRuns {

    @Override
    public int count() {
        return 0;
    }

    @Override
    public void leave() {}

    @Override
    public void cancel() {}
}
