package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.checkpoint.Checkpoints.StoredCheckpoint;
import dev.equipoise.app.queue.WaitReason;
import dev.equipoise.app.run.TestingModelRuns.Started;
import dev.equipoise.protocol.FailureCause;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.RunId;
import dev.equipoise.testing.Patience;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Tests that only the holder of the lock of a run writes its events: readers ask for the ids after
 * the last one that they have seen, so the ids of a run must grow in the order of commits.
 */
@RunningService
@Timeout(Patience.SECONDS)
class EventWritersIT {

    private final TestingLab lab;
    private final RunLocks locks;
    private final RunQueue queue;
    private final RunCheckpoints checkpoints;
    private final JdbcClient database;
    private final TransactionTemplate transaction;
    private final TestingLab.Project project;
    private final TestingModelRuns runs;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** Connection of the writer, by the number of its process in the database. */
    private final AtomicInteger writer = new AtomicInteger();

    EventWritersIT(
            @Autowired TestingLab lab,
            @Autowired RunLocks locks,
            @Autowired RunQueue queue,
            @Autowired RunCheckpoints checkpoints,
            @Autowired JdbcClient database,
            @Autowired TransactionTemplate transaction) {
        this.lab = lab;
        this.locks = locks;
        this.queue = queue;
        this.checkpoints = checkpoints;
        this.database = database;
        this.transaction = transaction;
        this.project = lab.project();
        this.runs = new TestingModelRuns(lab, project);
    }

    @AfterEach
    void clear() {
        threads.close();
        lab.clear();
    }

    private static RunId id(String run) {
        return RunId.of(UUID.fromString(run));
    }

    /** Starts a transaction on another thread. */
    private Future<?> start(Runnable write) {
        return threads.submit(() ->
                transaction.executeWithoutResult(_ -> {
                    writer.set(
                            database.sql("select pg_backend_pid()").query(Integer.class).single());
                    write.run();
                }));
    }

    private boolean waitsForALock() {
        return database.sql(
                                """
                                select count(*) from pg_stat_activity
                                where pid = :pid and wait_event_type = 'Lock'
                                """)
                        .param("pid", writer.get())
                        .query(Integer.class)
                        .single()
                > 0;
    }

    private List<String> waitReasons(String run) {
        return project.member()
                .get("/runs/" + run + "/events?limit=500")
                .expect(200)
                .path("items")
                .valueStream()
                .filter(it -> it.at("/event/type").stringValue().equals("waiting"))
                .map(it -> it.at("/event/waiting/code").stringValue())
                .toList();
    }

    /** The second run returns to the queue while the writer waits for the lock of the first one. */
    @Test
    void waitReasonIsWrittenForLockedRunsOnly() throws Exception {
        Started started =
                runs.start(
                        TestingModelRuns.definition("")
                                .replace("\"restarts\": 0", "\"restarts\": 5"));
        String queued = project.submitOne(TestingModelRuns.definition(""));
        var reason = new WaitReason("of-this-test", "it waits");

        Future<?> write =
                transaction.execute(_ -> {
                    locks.lock(id(queued));
                    Future<?> blocked =
                            start(() ->
                                    queue.recordWaitReason(
                                            List.of(id(queued), id(started.run())), reason));
                    await().until(this::waitsForALock);
                    started.tell(new Outcome.Failed(FailureCause.WORKER, "broken", "it broke"));
                    runs.assertState(started.run(), "QUEUED");
                    return blocked;
                });

        assertThat(write).succeedsWithin(Patience.PATIENCE);
        assertThat(waitReasons(queued)).contains(reason.code());
        assertThat(waitReasons(started.run())).doesNotContain(reason.code());
    }

    @Test
    void lostCheckpointIsNotedUnderTheLockOfTheRun() {
        Started started = runs.start(TestingModelRuns.definition(""));
        RunId run = id(started.run());
        var stored = new StoredCheckpoint(1, 1, 1, 1000, Instant.EPOCH);

        Future<?> write =
                transaction.execute(_ -> {
                    locks.lock(run);
                    Future<?> blocked = start(() -> checkpoints.lose(run, stored, 0));
                    await().until(() -> waitsForALock() || blocked.isDone());
                    assertThat(blocked).isNotDone();
                    return blocked;
                });

        assertThat(write).succeedsWithin(Patience.PATIENCE);
    }
}
