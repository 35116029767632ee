package dev.equipoise.app.measurement;

/** The origin of the points of a profile. */
enum ProfileOrigin {
    /** Measured here, over the whole range of sizes. */
    MEASURED,
    /** Measured here at single sizes, for a partial FPM; no speed function by itself. */
    AT_SHARE,
    /** Measured elsewhere or earlier, and imported from a file. */
    IMPORTED
}
