package dev.equipoise.app.telemetry;

import java.util.Locale;

/** What the module's meters are called; Prometheus gets them with {@code _} for each point. */
final class MeterNames {

    static final String QUEUE_RUNS = "equipoise.queue.runs";
    static final String QUEUE_OLDEST = "equipoise.queue.oldest";
    static final String RUNS = "equipoise.runs";
    static final String WORKERS = "equipoise.workers";
    static final String PLACEMENTS = "equipoise.placements";
    static final String PLACEMENT = "equipoise.placement";
    static final String RUNS_ENDED = "equipoise.runs.ended";
    static final String PHASE_SECONDS = "equipoise.phase.seconds";
    static final String BYTES = "equipoise.bytes";
    static final String RANKS_LOST = "equipoise.ranks.lost";
    static final String SETBACKS = "equipoise.setbacks";
    static final String REGROUPS = "equipoise.regroups";

    static final String STATE = "state";
    static final String CAUSE = "cause";
    static final String PHASE = "phase";
    static final String KIND = "kind";

    private MeterNames() {}

    /** The value of a tag. */
    static String tag(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
