package dev.equipoise.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.QuietService;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.account.Quotas;
import dev.equipoise.app.dispatch.Assignments;
import dev.equipoise.app.dispatch.DispatchSettings;
import dev.equipoise.app.dispatch.SchedulerLease;
import dev.equipoise.app.dispatch.Usage;
import dev.equipoise.app.measurement.Measurements;
import dev.equipoise.app.run.RunQueue;
import dev.equipoise.app.worker.Workers;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Tests the scheduler lease of two instances on one database. The service makes no scheduling
 * passes of its own, so that no third instance acquires the lease.
 */
@QuietService
class SchedulerLeaseIT {

    private final TestingLab lab;
    private final TestingLab.Project project;
    private final ApplicationContext context;
    private final JdbcClient database;
    private final TransactionTemplate transaction;
    private final DispatchSettings settings;
    private final SchedulerLease one;
    private final SchedulerLease other;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    SchedulerLeaseIT(
            @Autowired TestingLab lab,
            @Autowired ApplicationContext context,
            @Autowired JdbcClient database,
            @Autowired DispatchSettings settings,
            @Autowired PlatformTransactionManager transactions) {
        this.lab = lab;
        this.project = lab.project();
        this.context = context;
        this.database = database;
        this.transaction = new TransactionTemplate(transactions);
        this.settings = settings;
        this.one = new SchedulerLease(database, settings);
        this.other = new SchedulerLease(database, settings);
    }

    @AfterEach
    void clear() {
        threads.shutdownNow();
        expire();
        lab.clear();
    }

    private void expire() {
        database.sql("update queue_turn set until = clock_timestamp()").update();
    }

    private SchedulerLease.Token acquire() {
        return one.acquire().orElseThrow();
    }

    /** The lease of the other instance, after the first one has expired. */
    private SchedulerLease.Token takeOver() {
        expire();
        return other.acquire().orElseThrow();
    }

    private Scheduler scheduler(SchedulerLease lease, Clock clock) {
        return new Scheduler(
                new SnapshotReader(
                        context.getBean(Workers.class),
                        context.getBean(Measurements.class),
                        context.getBean(RunQueue.class),
                        context.getBean(Assignments.class),
                        context.getBean(Usage.class),
                        context.getBean(Quotas.class),
                        clock),
                context.getBean(MeasurementLookups.class),
                context.getBean(QueueRuntimes.class),
                context.getBean(DecisionApplier.class),
                context.getBean(Assignments.class),
                context.getBean(ElasticScaling.class),
                lease,
                context.getBean(ScheduleSettings.class));
    }

    /** Suspends a pass when it reads the clock, after it has read the allocations of workers. */
    private final class StoppingClock extends Clock {

        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch resumed = new CountDownLatch(1);

        @Override
        public Instant instant() {
            reached.countDown();
            await(resumed);
            return lab.clock().instant();
        }

        private static void await(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    private static String definition(int priority) {
        return """
        {"apiVersion": "equipoise/v1", "name": "run", "dataset": {"name": "mnist", "limit": 60},
         "network": {"preset": "mnist-cnn"}, "training": {"epochs": 1, "batchSize": 10},
         "workers": {"replicas": 2}, "priority": %d}
        """
                .formatted(priority);
    }

    private String state(String run) {
        return project.run(run).path("state").stringValue();
    }

    /** A lease that seems valid to its pass, as one that expires just after the check. */
    private static final class UncheckedLease extends SchedulerLease {

        UncheckedLease(JdbcClient database, DispatchSettings settings) {
            super(database, settings);
        }

        @Override
        public boolean renew(Token token) {
            return true;
        }
    }

    /** Each pass has read that no worker is allocated, and each has another run at the head. */
    @Test
    void concurrentPassesKeepTheQuota() throws Exception {
        lab.administrator()
                .put("/projects/" + project.id() + "/quota", Map.of("replicasAtOnce", 2))
                .expect(200);
        lab.agents(4);
        StoppingClock early = new StoppingClock();
        StoppingClock late = new StoppingClock();

        SchedulerLease.Token lost = acquire();
        String low = project.submitOne(definition(0));
        Future<Boolean> first =
                threads.submit(
                        () -> scheduler(new UncheckedLease(database, settings), early).pass(lost));
        early.reached.await();
        String high = project.submitOne(definition(100));
        SchedulerLease.Token present = takeOver();
        Future<Boolean> second = threads.submit(() -> scheduler(other, late).pass(present));
        late.reached.await();
        early.resumed.countDown();
        late.resumed.countDown();

        assertThat(first.get()).as("its snapshot is outdated").isFalse();
        assertThat(second.get()).isTrue();
        assertThat(state(low)).isEqualTo("QUEUED");
        assertThat(state(high)).isEqualTo("PLACED");
    }

    @Test
    void leaseIsNotAcquiredWhileARunIsPlaced() throws Exception {
        CountDownLatch isRenewed = new CountDownLatch(1);
        CountDownLatch isPlaced = new CountDownLatch(1);
        Future<SchedulerLease.Token> placing =
                threads.submit(() -> placeInTheLastSecond(isRenewed, isPlaced));
        isRenewed.await();

        await().until(() -> isExpired());
        Callable<Optional<SchedulerLease.Token>> acquiring = other::acquire;
        Future<Optional<SchedulerLease.Token>> acquired = threads.submit(acquiring);
        await().until(() -> waitingForTheLease() > 0);
        isPlaced.countDown();

        SchedulerLease.Token token = placing.get();
        assertThat(acquired.get()).as("the first instance has renewed it").isEmpty();
        assertThat(one.renew(token)).isTrue();
    }

    /** Renews a lease that expires within 1 s, in a transaction that lasts until a latch opens. */
    private SchedulerLease.Token placeInTheLastSecond(
            CountDownLatch isRenewed, CountDownLatch isPlaced) {
        SchedulerLease.Token token = acquire();
        database.sql("update queue_turn set until = clock_timestamp() + interval '1 s'").update();
        transaction.executeWithoutResult(_ -> {
            assertThat(one.renew(token)).isTrue();
            isRenewed.countDown();
            StoppingClock.await(isPlaced);
        });
        return token;
    }

    /** Whether the lease has expired for other transactions. */
    private boolean isExpired() {
        return database.sql("select until <= clock_timestamp() from queue_turn")
                .query(Boolean.class)
                .single();
    }

    private int waitingForTheLease() {
        return database.sql(
                        """
                        select count(*) from pg_stat_activity
                        where wait_event_type = 'Lock' and query like 'update queue_turn%'
                        """)
                .query(Integer.class)
                .single();
    }

    /** An instance acquired the lease and died; then the clock of the database was set back. */
    @Test
    void leaseThatEndsLaterThanItCouldIsAcquired() {
        SchedulerLease.Token lost = acquire();
        database.sql("update queue_turn set until = clock_timestamp() + interval '1 hour'")
                .update();

        assertThat(other.acquire()).isPresent();
        assertThat(one.renew(lost)).isFalse();
    }

    @Test
    void supersededLeaseIsNeitherRenewedNorReleased() {
        SchedulerLease.Token lost = acquire();
        SchedulerLease.Token present = takeOver();

        assertThat(one.renew(lost)).isFalse();
        one.release(lost);
        assertThat(one.acquire()).as("the lease of the other instance is valid").isEmpty();
        assertThat(other.renew(present)).isTrue();
    }

    private static final class CountingLease extends SchedulerLease {

        private final AtomicInteger renewals = new AtomicInteger();

        CountingLease(JdbcClient database, DispatchSettings settings) {
            super(database, settings);
        }

        @Override
        public boolean renew(Token token) {
            renewals.incrementAndGet();
            return super.renew(token);
        }

        @Override
        public Duration renewalInterval() {
            return Duration.ofNanos(100_000);
        }
    }

    @Test
    void leaseIsRenewedBeforeAndDuringAutomaticConfiguration() {
        CountingLease counting = new CountingLease(database, settings);
        lab.agents(2);
        SchedulerLease.Token token = acquire();
        project.submit(
                """
                {"apiVersion": "equipoise/v1", "name": "open", "dataset": {"name": "mnist", "limit": 3000},
                 "network": {"layers": ["flatten", {"dense": 10}]},
                 "training": {"epochs": 1, "batchSize": 10}, "workers": {"replicas": 3},
                 "synchronization": "auto", "seeds": [1, 2],
                 "execution": {"kind": "virtual", "samplesPerSecond": 100}}
                """);

        assertThat(scheduler(counting, lab.clock()).pass(token)).isTrue();

        assertThat(counting.renewals)
                .as("at the beginning, before two choices, and during them")
                .hasValueGreaterThan(3);
    }

    @Test
    void passWithoutLeasePlacesAndPublishesNothing() {
        lab.agents(2);
        SchedulerLease.Token lost = acquire();
        String run = project.submitOne(definition(0));
        SchedulerLease.Token _ = takeOver();

        assertThat(scheduler(one, lab.clock()).pass(lost)).isFalse();

        assertThat(project.run(run).at("/waiting/code").stringValue()).isEqualTo("queued");
    }
}
