package dev.equipoise.agent.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.ChannelFailed.Reason;
import dev.equipoise.agent.channel.PayloadType;
import dev.equipoise.testing.Patience;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(Patience.SECONDS)
class VirtualClusterTest {

    private static final MemorySegment EMPTY = MemorySegment.NULL;
    private static final LinkModel LINKS = LinkModel.uniform(1000, 1);

    @Test
    void returnsTheResultsInTheOrderOfTheRanks() {
        try (var cluster = cluster(3)) {
            assertThat(TestingBodies.call(cluster, channel -> 10 * channel.rank()))
                    .containsExactly(0, 10, 20);
        }
    }

    @Test
    void continuesAtTheClocksOfTheLastRun() {
        try (var cluster = cluster(2)) {
            for (int run = 1; run <= 2; run++) {
                TestingBodies.run(
                        cluster, channel -> cluster.time(channel.rank()).sleep(5 + channel.rank()));
                assertThat(cluster.time(0).nanoTime()).isEqualTo(5L * run);
                assertThat(cluster.time(1).threadNanos()).isEqualTo(6L * run);
            }
        }
    }

    @Test
    void throwsTheFirstFailureInVirtualTime() {
        try (var cluster = cluster(3)) {
            List<ChannelFailed> others = new ArrayList<>();
            assertThatIllegalStateException()
                    .isThrownBy(() ->
                            TestingBodies.run(
                                    cluster,
                                    channel -> {
                                        int rank = channel.rank();
                                        if (rank == 2) {
                                            others.add(failure(() -> receive(channel, 0)));
                                            return;
                                        }
                                        cluster.time(rank).sleep(rank == 0 ? 100 : 50);
                                        throw new IllegalStateException("by rank " + rank);
                                    }))
                    .withMessage("by rank 1");
            assertThat(others).hasSize(1);
            assertThat(others.getFirst())
                    .hasMessageContaining("by rank 1")
                    .extracting(ChannelFailed::reason)
                    .isEqualTo(Reason.CLOSED);
            assertThat(cluster.time(2).nanoTime()).isEqualTo(50);
        }
    }

    @Test
    void wrapsCheckedExceptions() {
        try (var cluster = cluster(1)) {
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() ->
                            TestingBodies.run(
                                    cluster,
                                    _ -> {
                                        throw new IOException("no file");
                                    }))
                    .withCauseInstanceOf(IOException.class);
        }
    }

    @Test
    void aDeadlockNamesTheWaitingRanks() {
        try (var cluster = cluster(4)) {
            ChannelFailed deadlock =
                    failure(() ->
                            TestingBodies.run(
                                    cluster,
                                    channel -> {
                                        switch (channel.rank()) {
                                            case 0 -> receive(channel, 1);
                                            case 1 -> receive(channel, 0);
                                            case 2 -> receiveAny(channel);
                                            default -> {}
                                        }
                                    }));

            assertThat(deadlock)
                    .hasMessage(
                            "deadlock: rank 0 waits for frame 1 of rank 1, rank 1 waits for frame 1"
                                    + " of rank 0, rank 2 waits for a frame of any rank");
            assertThat(deadlock.reason()).isEqualTo(Reason.TIMED_OUT);
        }
    }

    private static void receiveAny(Channel channel) {
        channel.receive(3, EMPTY, 0, 0);
        int _ = channel.awaitAny();
    }

    @Test
    void aDeadlockNamesTheWaitingBackground() {
        try (var cluster = cluster(2)) {
            assertThat(
                            failure(() ->
                                    TestingBodies.run(
                                            cluster,
                                            channel -> {
                                                if (channel.rank() == 0) {
                                                    var background = cluster.background(0);
                                                    background.start(() -> receive(channel, 1));
                                                    background.await();
                                                }
                                            })))
                    .hasMessage(
                            "deadlock: rank 0 waits for the background of rank 0, the"
                                    + " background of rank 0 waits for frame 1 of rank 1");
        }
    }

    @Test
    void anInterruptOfTheCallerEndsAllBodies() throws Exception {
        try (var cluster = cluster(3)) {
            var begun = new CountDownLatch(1);
            List<Throwable> ends = new ArrayList<>();
            var run =
                    new FutureTask<>(() -> {
                        ChannelFailed failure =
                                failure(() ->
                                        TestingBodies.run(
                                                cluster,
                                                channel ->
                                                        ends.add(
                                                                catchThrowable(() ->
                                                                        waitForever(
                                                                                channel, begun)))));
                        assertThat(Thread.currentThread().isInterrupted()).isTrue();
                        return failure;
                    });
            Thread caller = Thread.ofPlatform().start(run);
            begun.await();
            caller.interrupt();

            assertThat(run.get()).hasMessage("the run was interrupted");
            assertThat(ends)
                    .hasOnlyElementsOfTypes(InterruptedException.class, ChannelFailed.class)
                    .hasSize(3);
        }
    }

    private static void waitForever(Channel channel, CountDownLatch begun)
            throws InterruptedException {
        if (channel.rank() < 2) {
            receive(channel, 2);
        } else {
            begun.countDown();
            new CountDownLatch(1).await();
        }
    }

    @Test
    void anyThreadMayCloseAChannel() {
        try (var cluster = cluster(2)) {
            List<ChannelFailed> failures = new ArrayList<>();
            TestingBodies.run(
                    cluster,
                    channel -> {
                        if (channel.rank() == 0) {
                            failures.add(failure(() -> receive(channel, 1)));
                        } else {
                            Thread.ofPlatform().start(cluster.channel(0)::close).join();
                        }
                    });

            assertThat(failures).hasSize(1);
            assertThat(failures.getFirst()).hasMessageContaining("this channel is closed");
        }
    }

    @Test
    void framesSentBeforeTheSenderClosedStillArrive() {
        try (var cluster = cluster(2)) {
            TestingBodies.run(
                    cluster,
                    channel -> {
                        if (channel.rank() == 0) {
                            channel.send(1, PayloadType.PLAIN, EMPTY, 0, 0);
                            channel.close();
                        } else {
                            receive(channel, 0);
                            assertThat(failure(() -> receive(channel, 0)).reason())
                                    .isEqualTo(Reason.PEER_LOST);
                        }
                    });
        }
    }

    /** A frame that is not awaited is still arriving when rank 2 closes. */
    @Test
    void aWaitForAClosedRankFailsAtTheTimeOfClosing() {
        try (var cluster = cluster(3)) {
            MemorySegment memory = Arena.ofAuto().allocate(10_000);
            TestingBodies.run(
                    cluster,
                    channel -> {
                        switch (channel.rank()) {
                            case 0 -> {
                                channel.receive(2, EMPTY, 0, 0);
                                assertThat(failure(channel::awaitAny))
                                        .hasMessageContaining("rank 2");
                                assertThat(cluster.time(0).nanoTime()).isEqualTo(1500);
                            }
                            case 1 ->
                                    channel.send(
                                            0, PayloadType.PLAIN, memory, 0, memory.byteSize());
                            default -> {
                                cluster.time(2).sleep(1500);
                                channel.close();
                            }
                        }
                    });
        }
    }

    @Test
    void aBackgroundMustNotExchangeWhileItsBodyDoes() {
        try (var cluster = cluster(2)) {
            TestingBodies.run(
                    cluster,
                    channel -> {
                        if (channel.rank() == 1) {
                            channel.send(0, PayloadType.PLAIN, EMPTY, 0, 0);
                            return;
                        }
                        var background = cluster.background(0);
                        background.start(() -> receive(channel, 1));
                        receive(channel, 1);
                        assertThatIllegalStateException()
                                .isThrownBy(background::await)
                                .withMessage(
                                        "the background of rank 0 exchanges while rank 0 does");
                    });
        }
    }

    @Test
    void computeChargesVirtualTime() {
        try (var cluster = cluster(1)) {
            TestingBodies.run(
                    cluster,
                    _ -> {
                        String result = cluster.compute(70, _ -> "done");
                        assertThat(result).isEqualTo("done");
                        assertThat(cluster.time(0).nanoTime()).isEqualTo(70);
                        assertThat(cluster.time(0).threadNanos()).isEqualTo(70);
                    });
        }
    }

    /** Each job waits for the other one, so both must run at the same time. */
    @Test
    void computesOnAllThreads() {
        var bothCompute = new CyclicBarrier(2);
        try (var cluster = new VirtualCluster(2, LINKS, 2)) {
            List<Integer> threads =
                    TestingBodies.call(
                            cluster,
                            _ ->
                                    cluster.compute(
                                            1,
                                            thread -> {
                                                awaitBarrier(bothCompute);
                                                return thread;
                                            }));

            assertThat(threads).containsExactlyInAnyOrder(0, 1);
        }
    }

    private static void awaitBarrier(CyclicBarrier barrier) {
        int _ = TaskResult.of(barrier::await).get();
    }

    @Test
    void computeThrowsTheFailureOfTheWork() {
        try (var cluster = cluster(1)) {
            TestingBodies.run(
                    cluster,
                    _ ->
                            assertThatExceptionOfType(ArithmeticException.class)
                                    .isThrownBy(() ->
                                            cluster.compute(
                                                    5,
                                                    _ -> {
                                                        throw new ArithmeticException();
                                                    })));
            assertThat(cluster.time(0).nanoTime()).isEqualTo(5);
        }
    }

    /** A compute thread runs at an arbitrary virtual time, so it must not interact with others. */
    @Test
    void workNeitherExchangesNorReadsTheClock() {
        try (var cluster = cluster(2)) {
            TestingBodies.run(
                    cluster,
                    channel -> {
                        assertThatIllegalStateException()
                                .isThrownBy(() ->
                                        cluster.compute(
                                                1, _ -> cluster.time(channel.rank()).nanoTime()));
                        assertThatIllegalStateException()
                                .isThrownBy(() ->
                                        cluster.compute(
                                                1,
                                                _ -> {
                                                    channel.awaitSent(1 - channel.rank());
                                                    return 0;
                                                }));
                    });
        }
    }

    @Test
    void rejectsNegativeComputeTimes() {
        try (var cluster = cluster(1)) {
            TestingBodies.run(
                    cluster,
                    _ ->
                            assertThatIllegalArgumentException()
                                    .isThrownBy(() -> cluster.compute(-1, _ -> 0))
                                    .withMessage(
                                            "the charged time must be at least 0 ns, but was -1"));
        }
    }

    @Test
    void rejectsInvalidNumbersOfRanksThreadsAndBodies() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cluster(0))
                .withMessage("the number of ranks must be at least 1, but was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new VirtualCluster(1, LINKS, 0))
                .withMessage("the number of compute threads must be at least 1, but was 0");
        try (var cluster = cluster(2)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> cluster.run(List.of(() -> 1)))
                    .withMessage("a run of 2 ranks needs as many bodies, but got 1");
        }
    }

    /** The number of untaken frames is about the number of frames under way. */
    @Test
    void aSenderDoesNotRunAheadOfItsReceiverForever() {
        int frames = 10_000;
        var counts =
                new Object() {
                    int sent;
                    int taken;
                    int maxUntaken;
                };
        try (var cluster = cluster(2)) {
            TestingBodies.run(
                    cluster,
                    channel -> {
                        for (int i = 0; i < frames; i++) {
                            if (channel.rank() == 0) {
                                channel.send(1, PayloadType.PLAIN, EMPTY, 0, 0);
                                channel.awaitSent(1);
                                counts.sent++;
                                counts.maxUntaken =
                                        Math.max(counts.maxUntaken, counts.sent - counts.taken);
                            } else {
                                receive(channel, 0);
                                counts.taken++;
                            }
                        }
                    });
        }
        assertThat(counts.taken).isEqualTo(frames);
        assertThat(counts.maxUntaken).isLessThan(200);
    }

    private static VirtualCluster cluster(int ranks) {
        return new VirtualCluster(ranks, LINKS, 1);
    }

    private static ChannelFailed failure(Runnable exchange) {
        return catchThrowableOfType(ChannelFailed.class, exchange::run);
    }

    private static void receive(Channel channel, int from) {
        channel.receive(from, EMPTY, 0, 0);
        channel.awaitReceived(from);
    }
}
