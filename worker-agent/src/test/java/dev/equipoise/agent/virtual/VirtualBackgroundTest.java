package dev.equipoise.agent.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.Content;
import dev.equipoise.agent.time.Background;
import dev.equipoise.agent.time.BackgroundContract;
import dev.equipoise.agent.time.Time;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class VirtualBackgroundTest extends BackgroundContract {

    private static final MemorySegment EMPTY = MemorySegment.NULL;

    @Override
    protected void use(Consumer<Background> body) {
        use((_, background) -> body.accept(background));
    }

    /** What a rank does that is alone. */
    private interface Body {
        void run(Time time, Background background);
    }

    private static void use(Body body) {
        try (var cluster = new VirtualCluster(1, LinkModel.uniform(0, 0), 1)) {
            TestingBodies.run(
                    cluster,
                    channel -> {
                        int rank = channel.rank();
                        try (Background background = cluster.background(rank)) {
                            body.run(cluster.time(rank), background);
                        }
                    });
        }
    }

    @Test
    void aTaskBeginsWhenItIsStartedAndTakesItsOwnTime() {
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
    void awaitingATaskThatHasLongEndedTakesNoTime() {
        use((time, background) -> {
            background.start(() -> time.sleep(30));
            time.sleep(100);
            background.await();

            assertThat(time.nanoTime()).isEqualTo(100);
        });
    }

    @Test
    void isDoneFromTheMomentOnAtWhichTheTaskEnds() {
        use((time, background) -> {
            background.start(() -> time.sleep(30));
            time.sleep(29);
            assertThat(background.isDone()).isFalse();
            time.sleep(1);
            assertThat(background.isDone()).isTrue();
        });
    }

    /** A frame comes at 1000 while the body computes until 1500. */
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
    void theBodyWaitsForAnExchangeThatTakesLonger() {
        try (var cluster = new VirtualCluster(2, LinkModel.uniform(1000, 0), 1)) {
            List<List<Long>> times =
                    TestingBodies.call(cluster, channel -> overlap(cluster, channel, 700));

            assertThat(times).containsOnly(List.of(700L, 1000L));
        }
    }

    /** When the computing ends, and all. */
    private static List<Long> overlap(VirtualCluster cluster, Channel channel, long nanos) {
        int rank = channel.rank();
        Time time = cluster.time(rank);
        try (Background background = cluster.background(rank)) {
            background.start(() -> channel.exchange(1 - rank, EMPTY, 1 - rank, EMPTY));
            long computed = cluster.compute(nanos, _ -> nanos);
            assertThat(background.isDone()).isEqualTo(computed >= 1000);
            long between = time.nanoTime();
            background.await();
            return List.of(between, time.nanoTime());
        }
    }

    @Test
    void servesItsOwnRankAlone() {
        try (var cluster = new VirtualCluster(2, LinkModel.uniform(0, 0), 1)) {
            Background background = cluster.background(0);

            assertThatIllegalStateException()
                    .isThrownBy(() -> background.start(() -> {}))
                    .withMessage("the background of rank 0 serves its body alone");
            assertThatIllegalStateException()
                    .isThrownBy(() -> cluster.channel(0).send(1, Content.PLAIN, EMPTY, 0, 0))
                    .withMessageStartingWith("rank 0 exchanges only in its body");
        }
    }
}
