package dev.equipoise.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.TestingLab;
import dev.equipoise.protocol.RunId;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** Invariants of a simulated lab, after each tick and at its end. */
final class SimulatedInvariants {

    private static final Set<String> OVER = Set.of("COMPLETED", "FAILED", "CANCELLED");

    /**
     * Violations of: every assignment belongs to an active run, and vice versa; a webhook gets one
     * delivery of each ended run, and none of the others.
     */
    private static final String VIOLATIONS =
            """
            select 'an assignment without an active run: ' || assignment.id || ' of generation '
                   || assignment.generation
            from assignment join run on run.id = assignment.run_id
            where assignment.state in ('OFFERED', 'LEASED', 'PARKED')
              and run.project_id = :project
              and (assignment.generation <> run.generation
                   or run.state not in ('PLACED', 'PREPARING', 'RUNNING'))
            union all
            select 'an active run without assignments: ' || run.id
            from run
            where run.state in ('PLACED', 'PREPARING', 'RUNNING') and run.project_id = :project
              and not exists (select 1 from assignment
                              where assignment.run_id = run.id
                                and assignment.state in ('OFFERED', 'LEASED', 'PARKED'))
            union all
            select 'a queued run without a wait reason: ' || run.id
            from run
            where run.state = 'QUEUED' and run.waiting is null and run.project_id = :project
            union all
            select 'a worker with two assignments: ' || assignment.worker_id
            from assignment join run on run.id = assignment.run_id
            where assignment.state in ('OFFERED', 'LEASED', 'PARKED')
              and run.project_id = :project
            group by assignment.worker_id
            having count(*) > 1
            union all
            select 'not one delivery of an ended run, or one of another: ' || run.id
            from run
            where run.project_id = :project
              and (select count(*)
                   from webhook join webhook_delivery on webhook_delivery.webhook_id = webhook.id
                   where webhook.project_id = :project
                     and webhook_delivery.body::jsonb #>> '{data,run}' = run.id::text)
                  <> case when run.state in ('COMPLETED', 'FAILED', 'CANCELLED') then 1 else 0 end
            """;

    private final TestingLab.Project project;
    private final JdbcClient database;
    private final int quota;
    private final Map<String, Integer> generations = new HashMap<>();
    private final Map<String, String> ends = new HashMap<>();
    private final Map<String, Set<Long>> unreported = new HashMap<>();
    private final Map<RunId, Long> curves = new HashMap<>();

    /**
     * @param quota most workers of the project at once
     */
    SimulatedInvariants(TestingLab.Project project, JdbcClient database, int quota) {
        this.project = project;
        this.database = database;
        this.quota = quota;
    }

    private record StoredRun(String id, String state, int generation) {}

    private List<StoredRun> storedRuns() {
        return database.sql("select id, state, generation from run where project_id = :project")
                .param("project", UUID.fromString(project.id()))
                .query((row, _) ->
                        new StoredRun(
                                row.getString("id"),
                                row.getString("state"),
                                row.getInt("generation")))
                .list();
    }

    /** Number of runs that have ended. */
    int ended() {
        return ends.size();
    }

    /** Asserts what must hold after each tick. */
    void check() {
        for (StoredRun run : storedRuns()) {
            String id = run.id();
            assertThat(run.generation())
                    .as("generations of %s grow", id)
                    .isGreaterThanOrEqualTo(generations.getOrDefault(id, 0));
            generations.put(id, run.generation());
            if (ends.containsKey(id) || OVER.contains(run.state())) {
                assertThat(ends.computeIfAbsent(id, _ -> run.state()))
                        .as("a run ends once")
                        .isEqualTo(run.state());
            }
        }
        assertThat(strings(VIOLATIONS)).isEmpty();
        assertThat(held()).as("workers of the project").isLessThanOrEqualTo(quota);
    }

    private int held() {
        return database.sql(
                        """
                        select count(*) from assignment join run on run.id = assignment.run_id
                        where assignment.state in ('OFFERED', 'LEASED', 'PARKED')
                          and run.project_id = :project
                        """)
                .param("project", UUID.fromString(project.id()))
                .query(Integer.class)
                .single();
    }

    private List<String> strings(String sql) {
        return database.sql(sql)
                .param("project", UUID.fromString(project.id()))
                .query((row, _) -> row.getString(1))
                .list();
    }

    /** The runs as the service stores them, one in each line. */
    String runs() {
        return String.join(
                "\n",
                strings(
                        """
                        select concat_ws(' ', id, configuration ->> 'name', state,
                                         waiting ->> 'message', failure)
                        from run where project_id = :project
                        """));
    }

    /** Records that the first replica has completed a step. */
    void curveIsAt(RunId run, long step) {
        curves.put(run, step);
    }

    /**
     * Records that a new first replica resumes after a step that other ranks have completed. Steps
     * that the previous one has not completed are never reported.
     */
    void curveContinuesAfter(RunId run, long step) {
        long before = curves.getOrDefault(run, 0L);
        unreported(run, LongStream.rangeClosed(before + 1, step).boxed().toList());
        curves.put(run, step);
    }

    /** Records steps whose loss only a lost rank had. */
    void unreported(RunId run, List<Long> steps) {
        unreported.computeIfAbsent(run.toString(), _ -> new HashSet<>()).addAll(steps);
    }

    /**
     * Asserts that a run is complete: each epoch is stored once, and each step of the first replica
     * but the unreported ones.
     */
    void assertWhole(String run) {
        JsonNode view = project.run(run);
        assertThat(view.path("state").stringValue()).as("%s", view).isEqualTo("COMPLETED");
        int epochs = view.at("/configuration/training/epochs").intValue();
        assertThat(view.path("epochs").valueStream().map(it -> it.path("epoch").intValue()))
                .hasSize(epochs)
                .doesNotHaveDuplicates();
        int steps = epochs * view.path("rounds").intValue();
        int first = view.at("/configuration/topology/servers").intValue(0);
        assertThat(
                        project.member()
                                .get("/runs/%s/metrics".formatted(run))
                                .expect(200)
                                .path("items")
                                .valueStream()
                                .filter(it -> it.path("name").stringValue().equals("train/loss"))
                                .filter(it -> it.path("rank").intValue() == first)
                                .mapToInt(it -> it.path("points").intValue())
                                .sum())
                .as("steps with a loss")
                .isBetween(steps - unreported.getOrDefault(run, Set.of()).size(), steps);
    }

    /**
     * Asserts that no run has restarted since its replicas differ: they do if processors round
     * differently.
     */
    void assertNoRestartsForWeights() {
        assertThat(
                        strings(
                                """
                                select run_event.body
                                from run_event join run on run.id = run_event.run_id
                                where run.project_id = :project and run_event.type = 'set-back'
                                  and (run_event.body like '%replicas-differ%'
                                       or run_event.body like '%checkpoint-differs%')
                                """))
                .isEmpty();
    }

    /** Number of notes about replicas that differ, or that have taken the weights of another. */
    int notedDifferences() {
        return strings(
                        """
                        select run_event.id::text
                        from run_event join run on run.id = run_event.run_id
                        where run.project_id = :project and run_event.type = 'note'
                          and (run_event.body like '%replicas differ after epoch%'
                               or run_event.body like '%all ranks begin with the weights%')
                        """)
                .size();
    }

    /** Asserts that the project is charged for some time of each of some workers at most. */
    void assertCharges(Duration most, int workers) {
        double charged =
                database.sql(
                                """
                                select coalesce(sum(worker_seconds), 0) from usage_charge
                                where project_id = :project
                                """)
                        .param("project", UUID.fromString(project.id()))
                        .query(Double.class)
                        .single();
        assertThat(charged)
                .as("worker-seconds charged for %d agents, in s", workers)
                .isLessThanOrEqualTo((double) most.multipliedBy(workers).toSeconds());
    }
}
