package dev.equipoise.agent.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.PayloadType;
import dev.equipoise.agent.time.BackgroundThread;
import dev.equipoise.agent.time.BackgroundThreadContract;
import dev.equipoise.agent.time.Time;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class VirtualBackgroundTest extends BackgroundThreadContract {

    private static final MemorySegment EMPTY = MemorySegment.NULL;

    @Override
    protected void use(Consumer<BackgroundThread> body) {
        use((_, background) -> body.accept(background));
    }

    /** The body of a single rank. */
    private interface Body {
        void run(Time time, BackgroundThread background);
    }

    private static void use(Body body) {
        try (var cluster = new VirtualCluster(1, LinkModel.uniform(0, 0), 1)) {
            TestingBodies.run(
                    cluster,
                    channel -> {
                        int rank = channel.rank();
                        try (BackgroundThread background = cluster.background(rank)) {
                            body.run(cluster.time(rank), background);
                        }
                    });
        }
    }

    @Test
    void aTaskHasItsOwnClock() {
        use((time, background) -> {
            List<Long> times = new ArrayList<>();
            time.sleep(100);
            background.start(() -> {
                times.add(time.nanoTime());
                time.sleep(30);
                times.add(time.nanoTime());
            });
            time.sleep(10);
            times.add(time.nanoTime());
            background.await();
            times.add(time.nanoTime());

            assertThat(times).containsExactly(110L, 100L, 130L, 130L);
        });
    }

    @Test
    void awaitingAnEndedTaskTakesNoTime() {
        use((time, background) -> {
            background.start(() -> time.sleep(30));
            time.sleep(100);
            background.await();

            assertThat(time.nanoTime()).isEqualTo(100);
        });
    }

    @Test
    void isDoneFromTheTimeAtWhichTheTaskEnds() {
        use((time, background) -> {
            background.start(() -> time.sleep(30));
            time.sleep(29);
            assertThat(background.isDone()).isFalse();
            time.sleep(1);
            assertThat(background.isDone()).isTrue();
        });
    }

    @Test
    void aQueuedTaskBeginsWhenTheOneBeforeEnds() {
        use((time, background) -> {
            List<Long> begins = new ArrayList<>();
            background.queue(() -> {
                begins.add(time.nanoTime());
                time.sleep(30);
            });
            time.sleep(10);
            background.queue(() -> {
                begins.add(time.nanoTime());
                time.sleep(5);
            });
            time.sleep(22);
            assertThat(background.isDone()).isTrue();
            background.await();
            assertThat(background.isDone()).isFalse();
            background.await();
            assertThat(time.nanoTime()).isEqualTo(35);
            background.queue(() -> begins.add(time.nanoTime()));
            background.await();

            assertThat(begins).containsExactly(0L, 30L, 35L);
        });
    }

    /** A frame arrives at 1000 ns while the body computes until 1500 ns. */
    @Test
    void aTaskExchangesWhileTheBodyComputes() {
        try (var cluster = new VirtualCluster(2, LinkModel.uniform(1000, 0), 1)) {
            List<Long> ends =
                    TestingBodies.call(
                            cluster, channel -> overlap(cluster, channel, 1500).getLast());

            assertThat(ends).containsExactly(1500L, 1500L);
        }
    }

    @Test
    void theBodyWaitsForALongerExchange() {
        try (var cluster = new VirtualCluster(2, LinkModel.uniform(1000, 0), 1)) {
            List<List<Long>> times =
                    TestingBodies.call(cluster, channel -> overlap(cluster, channel, 700));

            assertThat(times).containsOnly(List.of(700L, 1000L));
        }
    }

    /** Returns the times in nanoseconds at which the computation and the exchange have ended. */
    private static List<Long> overlap(VirtualCluster cluster, Channel channel, long nanos) {
        int rank = channel.rank();
        Time time = cluster.time(rank);
        try (BackgroundThread background = cluster.background(rank)) {
            background.start(() -> channel.exchange(1 - rank, EMPTY, 1 - rank, EMPTY));
            long computed = cluster.compute(nanos, _ -> nanos);
            assertThat(background.isDone()).isEqualTo(computed >= 1000);
            long between = time.nanoTime();
            background.await();
            return List.of(between, time.nanoTime());
        }
    }

    @Test
    void onlyTheBodyUsesItsBackground() {
        try (var cluster = new VirtualCluster(2, LinkModel.uniform(0, 0), 1)) {
            BackgroundThread background = cluster.background(0);

            assertThatIllegalStateException()
                    .isThrownBy(() -> background.start(() -> {}))
                    .withMessage("only the body of rank 0 may use its background thread");
            assertThatIllegalStateException()
                    .isThrownBy(() -> cluster.channel(0).send(1, PayloadType.PLAIN, EMPTY, 0, 0))
                    .withMessageStartingWith("rank 0 exchanges only in its body");
        }
    }
}
