package dev.equipoise.app.observability;

import java.util.Locale;

/** Names of the module's meters; Prometheus shows each dot as {@code _}. */
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

    /** Returns the tag value of a constant. */
    static String tag(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
