package dev.equipoise.app.measurement;

/** The kind of a measurement session. */
public enum MeasurementKind {
    /** Profiles of co-located workers, one for each worker. */
    PROFILES,
    /** The links between all workers of the session. */
    LINKS
}
