package dev.equipoise.agent.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

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
    void closeInterruptsTheTaskIfConfigured() {
        List<Boolean> interrupted = new ArrayList<>();
        var begun = new CountDownLatch(1);
        try (var background = SystemBackground.interruptedByClose()) {
            background.start(() -> {
                begun.countDown();
                interrupted.add(!awaitUninterrupted(new CountDownLatch(1)));
            });
            assertThat(awaitUninterrupted(begun)).isTrue();
        }

        assertThat(interrupted).containsExactly(true);
    }

    @Test
    void logLinesOfATaskHaveTheFieldsOfItsStarter() {
        List<String> runs = new ArrayList<>();
        try (var _ = MDC.putCloseable("run", "r-1")) {
            use(background -> {
                background.start(() -> runs.add(MDC.get("run")));
                background.await();
            });
        }

        assertThat(runs).containsExactly("r-1");
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
