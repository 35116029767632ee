package dev.equipoise.app.profile;

/** Where the points of a profile come from. */
enum ProfileOrigin {
    /** Measured here, over the whole range of sizes. */
    MEASURED,
    /** Measured here, at a share that a run might get: no speed function by itself. */
    AT_SHARE,
    /** Measured elsewhere or before, and read from a file. */
    IMPORTED
}
