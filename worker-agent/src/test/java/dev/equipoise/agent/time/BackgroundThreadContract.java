package dev.equipoise.agent.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.equipoise.testing.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract of every background thread. */
@Timeout(Patience.SECONDS)
public abstract class BackgroundThreadContract {

    /** Runs a body with the background thread of a rank, which is closed afterwards. */
    protected abstract void use(Consumer<BackgroundThread> body);

    @Test
    void isDoneBeforeTheFirstTask() {
        use(background -> {
            assertThat(background.isDone()).isTrue();
            background.await();
        });
    }

    @Test
    void awaitReturnsAfterTheTask() {
        use(background -> {
            List<Integer> done = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                int number = i;
                background.start(() -> done.add(number));
                background.await();
                assertThat(done).hasSize(number + 1);
            }
            assertThat(done).containsExactly(0, 1, 2);
        });
    }

    @Test
    void runsTasksOnAnotherThread() {
        use(background -> {
            List<Thread> threads = new ArrayList<>();
            background.start(() -> threads.add(Thread.currentThread()));
            background.await();
            assertThat(threads).hasSize(1).doesNotContain(Thread.currentThread());
        });
    }

    @Test
    void isDoneOnceTheTaskHasEnded() {
        use(background -> {
            List<Integer> done = new ArrayList<>();
            background.start(() -> done.add(1));
            while (!background.isDone()) {
                Thread.onSpinWait();
            }
            assertThat(done).hasSize(1);
        });
    }

    @Test
    void rejectsATaskBeforeTheLastWasAwaited() {
        use(background -> {
            background.start(() -> {});

            assertThatIllegalStateException()
                    .isThrownBy(() -> background.start(() -> {}))
                    .withMessage("the last task has not been awaited");
            background.await();
            background.start(() -> {});
        });
    }

    @Test
    void awaitThrowsTheFailureOfTheTask() {
        use(background -> {
            background.start(() -> {
                throw new CancellationException("in the task");
            });

            assertThatExceptionOfType(CancellationException.class)
                    .isThrownBy(background::await)
                    .withMessage("in the task");
        });
    }

    @Test
    void acceptsATaskAfterAFailedOne() {
        use(background -> {
            background.start(() -> {
                throw new CancellationException();
            });
            assertThatExceptionOfType(CancellationException.class).isThrownBy(background::await);

            background.start(() -> {});
            assertThatCode(background::await).doesNotThrowAnyException();
        });
    }

    @Test
    void queuedTasksRunInOrderAndAreAwaitedOneByOne() {
        use(background -> {
            List<Integer> done = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                int number = i;
                background.queue(() -> done.add(number));
            }
            for (int i = 0; i < 3; i++) {
                background.await();
            }

            assertThat(done).containsExactly(0, 1, 2);
            assertThat(background.isDone()).isTrue();
        });
    }

    @Test
    void failedTaskDropsTheOnesBehindIt() {
        use(background -> {
            List<Integer> done = new ArrayList<>();
            background.queue(() -> done.add(0));
            background.queue(() -> {
                throw new CancellationException("in the task");
            });
            background.queue(() -> done.add(2));
            background.await();

            assertThatExceptionOfType(CancellationException.class)
                    .isThrownBy(background::await)
                    .withMessage("in the task");
            background.start(() -> done.add(3));
            background.await();
            assertThat(done).containsExactly(0, 3);
        });
    }

    @Test
    void closeWaitsForQueuedTasks() {
        use(background -> {
            List<Integer> done = new ArrayList<>();
            background.queue(() -> done.add(0));
            background.queue(() -> done.add(1));
            background.close();

            assertThat(done).containsExactly(0, 1);
        });
    }

    @Test
    void closeWaitsForTheTaskAndIgnoresItsFailure() {
        use(background -> {
            List<Integer> done = new ArrayList<>();
            background.start(() -> {
                done.add(1);
                throw new CancellationException();
            });
            background.close();

            assertThat(done).hasSize(1);
        });
    }
}
