package dev.equipoise.app.worker;

import dev.equipoise.protocol.WorkerId;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Stores the cluster views of workers, each distinct one once. */
@Component
class ClusterViews {

    private static final Duration RETENTION = Duration.ofHours(1);

    private final ClusterViewRepository views;
    private final JsonMapper json;
    private final Clock clock;

    ClusterViews(ClusterViewRepository views, JsonMapper json, Clock clock) {
        this.views = views;
        this.json = json;
        this.clock = clock;
    }

    /** Stores a view within the transaction of the caller. */
    ClusterView store(Set<WorkerId> seen) {
        ClusterView view = ClusterView.of(seen);
        views.keep(view.digest(), json.writeValueAsString(seen), clock.instant());
        return views.getReferenceById(view.digest());
    }

    /**
     * Removes unused views within the transaction of the caller. A recent view stays, as the
     * transaction that refers to it may not have committed yet.
     */
    void forget() {
        views.forget(clock.instant().minus(RETENTION));
    }
}
