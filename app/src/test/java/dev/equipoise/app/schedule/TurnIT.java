package dev.equipoise.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.equipoise.app.QuietService;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.account.Quotas;
import dev.equipoise.app.plan.Choosing;
import dev.equipoise.app.profile.Links;
import dev.equipoise.app.profile.Profiles;
import dev.equipoise.app.profile.SpeedCurves;
import dev.equipoise.app.run.Orders;
import dev.equipoise.app.run.RunLifecycle;
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

/** Two instances on one database. The service has no schedule, so nobody else takes a turn. */
@QuietService
class TurnIT {

    private final TestingLab lab;
    private final TestingLab.Project project;
    private final ApplicationContext context;
    private final JdbcClient database;
    private final TransactionTemplate transaction;
    private final ScheduleSettings settings;
    private final Turn one;
    private final Turn other;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    TurnIT(
            @Autowired TestingLab lab,
            @Autowired ApplicationContext context,
            @Autowired JdbcClient database,
            @Autowired ScheduleSettings settings,
            @Autowired PlatformTransactionManager transactions) {
        this.lab = lab;
        this.project = lab.project();
        this.context = context;
        this.database = database;
        this.transaction = new TransactionTemplate(transactions);
        this.settings = settings;
        this.one = new Turn(database, settings);
        this.other = new Turn(database, settings);
    }

    @AfterEach
    void clear() {
        threads.shutdownNow();
        endAll();
        lab.clear();
    }

    private void endAll() {
        database.sql("update queue_turn set until = clock_timestamp()").update();
    }

    private Turn.Taken take() {
        return one.take().orElseThrow();
    }

    /** As if the other one had lasted for too long. */
    private Turn.Taken takeOver() {
        endAll();
        return other.take().orElseThrow();
    }

    private Scheduler scheduler(Turn turn, Clock clock) {
        return new Scheduler(
                context.getBean(Workers.class),
                context.getBean(SpeedCurves.class),
                context.getBean(Profiles.class),
                context.getBean(Links.class),
                context.getBean(RunLifecycle.class),
                context.getBean(RunQueue.class),
                context.getBean(Usage.class),
                context.getBean(Assignments.class),
                context.getBean(Orders.class),
                context.getBean(Choosing.class),
                context.getBean(Foresight.class),
                context.getBean(Growing.class),
                turn,
                context.getBean(Quotas.class),
                context.getBean(ScheduleSettings.class),
                clock);
    }

    /** A pass looks at the clock once it has read who has which workers. */
    private final class StoppingClock extends Clock {

        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch goingOn = new CountDownLatch(1);

        @Override
        public Instant instant() {
            reached.countDown();
            await(goingOn);
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

    /** As where a turn is over just after a pass has looked whether it is. */
    private static final class TrustingTurn extends Turn {

        TrustingTurn(JdbcClient database, ScheduleSettings settings) {
            super(database, settings);
        }

        @Override
        public boolean keep(Taken turn) {
            return true;
        }
    }

    /** Each has read that nobody has anything, and finds another run to be the first. */
    @Test
    void twoPassesTogetherGiveAProjectNoMoreWorkersThanItMayHave() throws Exception {
        lab.administrator()
                .put("/projects/" + project.id() + "/quota", Map.of("replicasAtOnce", 2))
                .expect(200);
        lab.agents(4);
        StoppingClock early = new StoppingClock();
        StoppingClock late = new StoppingClock();

        Turn.Taken lost = take();
        String low = project.submitOne(definition(0));
        Future<Boolean> first =
                threads.submit(
                        () -> scheduler(new TrustingTurn(database, settings), early).pass(lost));
        early.reached.await();
        String high = project.submitOne(definition(100));
        Turn.Taken present = takeOver();
        Future<Boolean> second = threads.submit(() -> scheduler(other, late).pass(present));
        late.reached.await();
        early.goingOn.countDown();
        late.goingOn.countDown();

        assertThat(first.get()).as("what it knew is not so any more").isFalse();
        assertThat(second.get()).isTrue();
        assertThat(state(low)).isEqualTo("QUEUED");
        assertThat(state(high)).isEqualTo("PLACED");
    }

    @Test
    void noOtherTurnBeginsWhileARunIsPlacedInOne() throws Exception {
        CountDownLatch isKept = new CountDownLatch(1);
        CountDownLatch isPlaced = new CountDownLatch(1);
        Future<Turn.Taken> placing = threads.submit(() -> placeInTheLastSecond(isKept, isPlaced));
        isKept.await();

        await().until(() -> isOver());
        Callable<Optional<Turn.Taken>> taking = other::take;
        Future<Optional<Turn.Taken>> taken = threads.submit(taking);
        await().until(() -> waitingForTheTurn() > 0);
        isPlaced.countDown();

        Turn.Taken own = placing.get();
        assertThat(taken.get()).as("it lasts for longer now").isEmpty();
        assertThat(one.keep(own)).isTrue();
    }

    /** Keeps a turn of which little is left, in a transaction that lasts until a latch opens. */
    private Turn.Taken placeInTheLastSecond(CountDownLatch isKept, CountDownLatch isPlaced) {
        Turn.Taken own = take();
        database.sql("update queue_turn set until = clock_timestamp() + interval '1 s'").update();
        transaction.executeWithoutResult(_ -> {
            assertThat(one.keep(own)).isTrue();
            isKept.countDown();
            StoppingClock.await(isPlaced);
        });
        return own;
    }

    /** As others see it. */
    private boolean isOver() {
        return database.sql("select until <= clock_timestamp() from queue_turn")
                .query(Boolean.class)
                .single();
    }

    private int waitingForTheTurn() {
        return database.sql(
                        """
                        select count(*) from pg_stat_activity
                        where wait_event_type = 'Lock' and query like 'update queue_turn%'
                        """)
                .query(Integer.class)
                .single();
    }

    @Test
    void aTurnThatAnotherHasFollowedIsNeitherKeptNorEnded() {
        Turn.Taken lost = take();
        Turn.Taken present = takeOver();

        assertThat(one.keep(lost)).isFalse();
        one.end(lost);
        assertThat(one.take()).as("the other one's has not ended").isEmpty();
        assertThat(other.keep(present)).isTrue();
    }

    private static final class CountingTurn extends Turn {

        private final AtomicInteger kept = new AtomicInteger();

        CountingTurn(JdbcClient database, ScheduleSettings settings) {
            super(database, settings);
        }

        @Override
        public boolean keep(Taken turn) {
            kept.incrementAndGet();
            return super.keep(turn);
        }

        @Override
        Duration keptEvery() {
            return Duration.ofNanos(100_000);
        }
    }

    @Test
    void theTurnIsKeptBeforeEachChoiceAndWhileItIsMade() {
        CountingTurn counting = new CountingTurn(database, settings);
        lab.agents(2);
        Turn.Taken own = take();
        project.submit(
                """
                {"apiVersion": "equipoise/v1", "name": "open", "dataset": {"name": "mnist", "limit": 3000},
                 "network": {"layers": ["flatten", {"dense": 10}]},
                 "training": {"epochs": 1, "batchSize": 10}, "workers": {"replicas": 3},
                 "synchronization": "auto", "seeds": [1, 2],
                 "execution": {"kind": "virtual", "samplesPerSecond": 100}}
                """);

        assertThat(scheduler(counting, lab.clock()).pass(own)).isTrue();

        assertThat(counting.kept)
                .as("at the beginning, before two choices, and meanwhile")
                .hasValueGreaterThan(3);
    }

    @Test
    void whoHasLostTheTurnPlacesNothingAndTellsNothing() {
        lab.agents(2);
        Turn.Taken lost = take();
        String run = project.submitOne(definition(0));
        Turn.Taken _ = takeOver();

        assertThat(scheduler(one, lab.clock()).pass(lost)).isFalse();

        assertThat(project.run(run).at("/waiting/code").stringValue()).isEqualTo("queued");
    }
}
