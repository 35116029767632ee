package dev.equipoise.app.run;

import dev.equipoise.app.experiment.Experiments;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.task.TaskExecutor;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Labels the runs of earlier versions of the service, which stored no labels. */
@Component
class RunLabelBackfill {

    private static final Logger log = LoggerFactory.getLogger(RunLabelBackfill.class);

    /** Versions of experiments that one query finds. */
    private static final int BATCH = 200;

    private final Experiments experiments;
    private final VersionLabels labels;
    private final JdbcClient database;
    private final TaskExecutor later;

    /**
     * @param later executor that labels runs: many of them must not delay the start
     */
    RunLabelBackfill(
            Experiments experiments,
            VersionLabels labels,
            JdbcClient database,
            @Qualifier("applicationTaskExecutor") TaskExecutor later) {
        this.experiments = experiments;
        this.labels = labels;
        this.database = database;
        this.later = later;
    }

    private record Version(UUID experiment, int number) {}

    @EventListener(ApplicationReadyEvent.class)
    void begin() {
        later.execute(() -> {
            try {
                labelAll();
            } catch (RuntimeException failure) {
                log.warn("runs of earlier versions keep no label until the next start", failure);
            }
        });
    }

    /**
     * Labels all runs without a label; a repetition or another instance writes the same. Each
     * version is a transaction of its own, so that reports do not wait long for the locks of runs.
     */
    void labelAll() {
        int labeled = 0;
        for (List<Version> some = unlabeled(); !some.isEmpty(); some = unlabeled()) {
            some.forEach(this::label);
            labeled += some.size();
        }
        if (labeled > 0) {
            log.info("runs of {} earlier versions of experiments labeled", labeled);
        }
    }

    /** Returns some versions of experiments with runs without a label. */
    private List<Version> unlabeled() {
        return database.sql(
                        """
                        select distinct experiment_id, experiment_version from run
                        where label is null limit :limit
                        """)
                .param("limit", BATCH)
                .query((row, _) ->
                        new Version(
                                row.getObject("experiment_id", UUID.class),
                                row.getInt("experiment_version")))
                .list();
    }

    private void label(Version version) {
        List<String> all =
                experiments
                        .findVersion(version.experiment(), version.number())
                        .map(labels::of)
                        .orElse(List.of());
        database.sql(
                        """
                        update run set label = coalesce((:labels::text[])[position + 1], '')
                        where experiment_id = :experiment and experiment_version = :version
                          and label is null
                        """)
                .param("labels", all.toArray(String[]::new))
                .param("experiment", version.experiment())
                .param("version", version.number())
                .update();
    }
}
