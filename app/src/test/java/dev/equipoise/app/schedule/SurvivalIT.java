package dev.equipoise.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.SimulatedService;
import dev.equipoise.app.TestingLab;
import dev.equipoise.app.computing.AwaitedThreads;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.TestPropertySource;

/**
 * The service's decisions in one thread, against agents that die, hang, leave and lose one another,
 * over a network that loses, repeats and delays what they say, or only the answer. Two services,
 * each with a database of its own, share the seeds.
 */
@SimulatedService
class SurvivalIT {

    /** The night plays 10,000. */
    private static final long SEEDS = Long.getLong("equipoise.simulation.seeds", 40);

    private static final long FIRST = Long.getLong("equipoise.simulation.first", 1);

    private final ApplicationContext service;
    private final AtomicBoolean hasFailed = new AtomicBoolean();

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
    void whateverBreaksEveryRunComesToItsEndAndNothingFailsUnforeseen() throws Exception {
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
    }

    /**
     * Until none is left, or one has failed. Each service has its own seeds, however fast the other
     * is: what it has learnt from those before is the same on all machines.
     */
    private void playOn(List<ApplicationContext> services, int number) {
        for (long seed = FIRST + number;
                seed < FIRST + SEEDS && !hasFailed.get();
                seed += services.size()) {
            play(seed, services.get(number));
        }
    }

    private void play(long seed, ApplicationContext on) {
        TestingLab lab = on.getBean(TestingLab.class);
        // Each begins with a service that has listened for long, also one that is played alone.
        lab.clear();
        try (var errors = new LoggedErrors(on.getBean(AwaitedThreads.class))) {
            var simulated =
                    new SimulatedLab(
                            seed, lab, on.getBean(Duties.class), on.getBean(JdbcClient.class));
            try {
                simulated.play();
                lab.clear();
                assertThat(errors.messages()).as("logged errors").isEmpty();
            } catch (AssertionError | RuntimeException failure) {
                hasFailed.set(true);
                throw new AssertionError(
                        "seed %d fails; alone: -Dequipoise.simulation.first=%d -Dequipoise.simulation.seeds=1\n%s"
                                .formatted(seed, seed, simulated.story()),
                        failure);
            }
        }
    }
}
