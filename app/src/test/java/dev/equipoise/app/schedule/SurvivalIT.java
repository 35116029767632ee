package dev.equipoise.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.SimulatedDatabase;
import dev.equipoise.app.SimulatedService;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.computing.AwaitedThreads;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.TestPropertySource;

/**
 * Deterministic simulation test: runs the service in one thread against simulated agents that die,
 * hang, leave and lose one another, over a network that loses, duplicates and delays requests or
 * only their responses, on a database that loses connections before and after commits. Two
 * services, each with its own database, divide the seeds among them.
 */
@SimulatedService
class SurvivalIT {

    /** Number of seeds; the nightly run sets 10,000. */
    private static final long SEEDS = Long.getLong("equipoise.simulation.seeds", 40);

    /** Number of seeds of which some must have had replicas that differ. */
    private static final long MANY_SEEDS = 40;

    private static final long PROGRESS_STRIDE = 100;

    private static final long FIRST = Long.getLong("equipoise.simulation.first", 1);

    private final ApplicationContext service;
    private final AtomicBoolean hasFailed = new AtomicBoolean();
    private final AtomicInteger notedDifferences = new AtomicInteger();

    SurvivalIT(@Autowired ApplicationContext service) {
        this.service = service;
    }

    @SimulatedService
    @TestPropertySource(
            properties = {
                "equipoise.account.administrator-token-file=target/administrator-token-of-other-simulation",
                "equipoise.checkpoint.folder=target/checkpoints-of-other-simulation"
            })
    private static final class Other {

        static ApplicationContext service() {
            return new TestContextManager(Other.class).getTestContext().getApplicationContext();
        }
    }

    @Test
    void everyRunCompletesWithoutLoggedErrorsDespiteFaults() throws Exception {
        List<ApplicationContext> services = List.of(service, Other.service());
        List<Callable<Object>> players =
                IntStream.range(0, services.size())
                        .mapToObj(it -> Executors.callable(() -> playOn(services, it)))
                        .toList();
        try (var threads =
                Executors.newFixedThreadPool(
                        players.size(), Thread.ofPlatform().name("seeds-", 1).factory())) {
            for (Future<Object> played : threads.invokeAll(players)) {
                played.get();
            }
        }
        if (SEEDS >= MANY_SEEDS) {
            assertThat(notedDifferences.get()).as("notes about differing replicas").isPositive();
        }
    }

    /**
     * Plays seeds until none is left or one has failed. Each service has its own seeds, however
     * fast the other is, so that it has learned the same from earlier seeds on all machines.
     */
    private void playOn(List<ApplicationContext> services, int number) {
        for (long seed = FIRST + number;
                seed < FIRST + SEEDS && !hasFailed.get();
                seed += services.size()) {
            play(seed, services.get(number));
            tellProgress(seed - FIRST + 1);
        }
    }

    /** Prints progress, since 10,000 seeds take hours. */
    private static void tellProgress(long played) {
        if (played % PROGRESS_STRIDE == 0) {
            System.out.printf("simulation: %d of %d seeds played%n", played, SEEDS);
        }
    }

    private void play(long seed, ApplicationContext on) {
        TestingLab lab = on.getBean(TestingLab.class);
        // Gives each seed the same beginning: a service with full heartbeat coverage.
        lab.clear();
        try (var errors = new LoggedErrors(on.getBean(AwaitedThreads.class))) {
            var simulated =
                    new SimulatedLab(
                            seed,
                            lab,
                            on.getBean(SchedulerLoop.class),
                            on.getBean(JdbcClient.class),
                            on.getBean(SimulatedDatabase.class));
            try {
                simulated.play();
                notedDifferences.addAndGet(simulated.notedDifferences());
                lab.clear();
                assertThat(errors.messages()).as("logged errors").isEmpty();
            } catch (AssertionError | RuntimeException failure) {
                hasFailed.set(true);
                throw new AssertionError(
                        "seed %d fails; repeat it with -Dequipoise.simulation.first=%d -Dequipoise.simulation.seeds=1\n%s"
                                .formatted(seed, seed, simulated.history()),
                        failure);
            }
        }
    }
}
