package dev.equipoise.app.configuration;

/**
 * The priority of runs within their project. It is not part of a run configuration: runs that
 * differ only in it do the same.
 */
public final class Priority {

    public static final int MIN = -100;
    public static final int MAX = 100;

    /** The priority of a definition that gives none. */
    public static final int DEFAULT = 0;

    private Priority() {}
}
