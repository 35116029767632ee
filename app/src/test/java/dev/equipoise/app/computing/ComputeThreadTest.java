package dev.equipoise.app.computing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.testing.Patience;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ComputeThreadTest {

    @Test
    void computationRunsOnItsPlatformThread() {
        try (var thread = new ComputeThread("testing", 1)) {
            assertThat(thread.call(() -> Thread.currentThread().isVirtual())).isFalse();
            assertThat(thread.call(() -> Thread.currentThread().getName())).isEqualTo("testing");
        }
    }

    @Test
    void exceptionOfComputationReachesCaller() {
        try (var thread = new ComputeThread("testing", 1)) {
            assertThatThrownBy(() ->
                            thread.call(() -> {
                                throw new IllegalArgumentException("on purpose");
                            }))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("on purpose");
        }
    }

    @Test
    @Timeout(Patience.SECONDS)
    void waitingCallerRepeatsCallback() {
        var left = new CountDownLatch(3);
        try (var thread = new ComputeThread("testing", 1)) {
            assertThat(
                            thread.call(
                                    () -> awaited(left),
                                    new WaitCallback(Duration.ofMillis(1), left::countDown)))
                    .isTrue();
        }
    }

    @Test
    @Timeout(Patience.SECONDS)
    void failingCallbackCancelsComputation() {
        var never = new CountDownLatch(1);
        var failing =
                new WaitCallback(
                        Duration.ofMillis(1),
                        () -> {
                            throw new IllegalArgumentException("on purpose");
                        });
        try (var thread = new ComputeThread("testing", 1)) {
            assertThatThrownBy(() -> thread.call(() -> awaited(never), failing))
                    .hasMessage("on purpose");
            assertThat(thread.call(() -> true)).isTrue();
        }
    }

    /** One computation runs and one waits, so that the third is rejected. */
    @Test
    @Timeout(Patience.SECONDS)
    void fullQueueRejectsCaller() throws Exception {
        var begun = new CountDownLatch(1);
        var released = new CountDownLatch(1);
        try (var thread = new ComputeThread("testing", 1);
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> computing =
                    callers.submit(() ->
                            thread.call(() -> {
                                begun.countDown();
                                return awaited(released);
                            }));
            begun.await();
            List<Future<Boolean>> others =
                    List.of(
                            callers.submit(() -> isRejected(thread)),
                            callers.submit(() -> isRejected(thread)));
            boolean anyRejected = false;
            while (!anyRejected) {
                for (Future<Boolean> other : others) {
                    anyRejected |= other.isDone() && other.get();
                }
                Thread.onSpinWait();
            }
            released.countDown();

            assertThat(computing.get()).isTrue();
            assertThat(List.of(others.getFirst().get(), others.getLast().get()))
                    .containsExactlyInAnyOrder(true, false);
        }
    }

    @Test
    @Timeout(Patience.SECONDS)
    void closingRejectsWaitingCallers() throws Exception {
        var begun = new CountDownLatch(1);
        var thread = new ComputeThread("testing", 2);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> computing =
                    callers.submit(() ->
                            thread.call(() -> {
                                begun.countDown();
                                return awaited(new CountDownLatch(1));
                            }));
            begun.await();
            Future<Boolean> waiting = callers.submit(() -> isRejected(thread));
            while (thread.waiting() == 0) {
                Thread.onSpinWait();
            }

            thread.close();

            assertThat(waiting.get()).isTrue();
            assertThatThrownBy(computing::get).hasRootCauseInstanceOf(InterruptedException.class);
        }
    }

    private static boolean isRejected(ComputeThread thread) {
        try {
            thread.call(() -> true);
            return false;
        } catch (Problem problem) {
            assertThat(problem.code()).isEqualTo(ErrorCode.BUSY);
            return true;
        }
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
