package dev.equipoise.agent.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class SystemBackgroundTest extends BackgroundThreadContract {

    @Override
    protected void use(Consumer<BackgroundThread> body) {
        try (var background = new SystemBackground()) {
            body.accept(background);
        }
    }

    @Test
    void isNotDoneWhileTheTaskRuns() {
        use(background -> {
            var mayEnd = new CountDownLatch(1);
            background.start(() -> awaitUninterrupted(mayEnd));
            assertThat(background.isDone()).isFalse();
            mayEnd.countDown();
            background.await();
            assertThat(background.isDone()).isTrue();
        });
    }

    @Test
    void forwardsAnInterruptAndStillWaitsForTheTask() {
        use(background -> {
            List<Boolean> interrupted = new ArrayList<>();
            background.start(() -> interrupted.add(!awaitUninterrupted(new CountDownLatch(1))));
            Thread.currentThread().interrupt();
            background.await();

            assertThat(Thread.interrupted()).isTrue();
            assertThat(interrupted).containsExactly(true);
        });
    }

    @Test
    void interruptCancelsTheNextTasks() {
        use(background -> {
            List<Integer> done = new ArrayList<>();
            background.startNext(() -> {
                boolean _ = awaitUninterrupted(new CountDownLatch(1));
                done.add(1);
            });
            background.startNext(() -> done.add(2));
            Thread.currentThread().interrupt();

            assertThatExceptionOfType(CancellationException.class).isThrownBy(background::await);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(done).containsExactly(1);
        });
    }

    private static boolean awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException _) {
            return false;
        }
    }
}
