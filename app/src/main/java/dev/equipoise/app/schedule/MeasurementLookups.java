package dev.equipoise.app.schedule;

import dev.equipoise.app.allocation.CachedSpeedCurves;
import dev.equipoise.app.measurement.LinkMeasurements;
import dev.equipoise.app.measurement.Profiles;
import dev.equipoise.app.measurement.SpeedCurves;
import org.springframework.stereotype.Component;

/** Opens caches of what was measured. */
@Component
class MeasurementLookups {

    private final SpeedCurves curves;
    private final Profiles profiles;
    private final LinkMeasurements links;

    MeasurementLookups(SpeedCurves curves, Profiles profiles, LinkMeasurements links) {
        this.curves = curves;
        this.profiles = profiles;
        this.links = links;
    }

    /** Opens the caches of one scheduling pass. */
    MeasurementCache cache() {
        return new MeasurementCache(speeds(), links);
    }

    /** Opens a cache of speed functions. */
    CachedSpeedCurves speeds() {
        return new CachedSpeedCurves(curves, profiles);
    }
}
