package dev.equipoise.agent.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.PayloadType;
import dev.equipoise.agent.time.BackgroundThread;
import dev.equipoise.testing.Patience;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ranks use all operations of a channel in a seeded random order, and at a random step one of them
 * closes its channel, throws or stops. Every run ends, with the same trace for the same seed.
 */
@Timeout(Patience.SECONDS)
class VirtualFaultsTest {

    private static final int RANKS = 6;
    private static final int STEPS = 30;
    private static final int MAX_BYTES = 400;
    private static final LinkModel LINKS =
            (from, to) -> new LinkSpeed((from * 7 + to * 3) % 5 * 100L, (from + to) % 3);

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void equalSeedsGiveEqualTraces(int seed) {
        assertThat(new RandomRun(seed).trace(2)).isEqualTo(new RandomRun(seed).trace(1));
    }

    /** A run determined by a seed, and its trace. */
    private static final class RandomRun {

        private final int seed;
        private final int victim;
        private final int faultyStep;
        private final List<List<String>> traces =
                IntStream.range(0, RANKS).<List<String>>mapToObj(_ -> new ArrayList<>()).toList();

        private RandomRun(int seed) {
            var random = new SplittableRandom(seed);
            this.seed = seed;
            this.victim = random.nextInt(RANKS);
            this.faultyStep = random.nextInt(STEPS);
        }

        private List<List<String>> trace(int threads) {
            try (var cluster = new VirtualCluster(RANKS, LINKS, threads)) {
                TestingBodies.run(cluster, channel -> play(cluster, channel));
            } catch (RuntimeException e) {
                traces.getFirst().add("the run ends with " + e);
            }
            return traces;
        }

        private void play(VirtualCluster cluster, Channel channel) {
            int rank = channel.rank();
            List<String> trace = traces.get(rank);
            try (BackgroundThread background = cluster.background(rank)) {
                for (int step = 0; step < STEPS; step++) {
                    pause();
                    if (rank == victim && step == faultyStep && !continuesAfterFault(channel)) {
                        return;
                    }
                    play(cluster, channel, background, step);
                    trace.add(step + " at " + cluster.time(rank).nanoTime());
                }
            } catch (RuntimeException e) {
                trace.add(e + " at " + cluster.time(rank).nanoTime());
                throw e;
            }
        }

        private boolean continuesAfterFault(Channel channel) {
            switch (seed % 3) {
                case 0 -> channel.close();
                case 1 -> throw new IllegalStateException("as the seed will have it");
                default -> {
                    return false;
                }
            }
            return true;
        }

        /** Runs one step; all ranks draw the same operation and distance. */
        private void play(
                VirtualCluster cluster, Channel channel, BackgroundThread background, int step) {
            var random = new SplittableRandom(1000L * seed + step);
            int distance = 1 + random.nextInt(RANKS - 1);
            long bytes = random.nextInt(MAX_BYTES);
            int rank = channel.rank();
            cluster.time(rank).sleep(new SplittableRandom(step * 31L + rank).nextInt(500));
            switch (random.nextInt(4)) {
                case 0 -> shift(channel, distance, bytes);
                case 1 -> background.start(() -> shift(channel, distance, bytes));
                case 2 -> gather(channel, distance, bytes);
                default -> {
                    int _ = cluster.compute(rank * 100L, _ -> pause());
                }
            }
            traces.get(rank).add("done " + background.isDone());
            background.await();
        }

        private static void shift(Channel channel, int distance, long bytes) {
            MemorySegment memory = Arena.ofAuto().allocate(bytes);
            MemorySegment buffer = Arena.ofAuto().allocate(bytes);
            channel.exchange(
                    (channel.rank() + distance) % RANKS,
                    memory,
                    Math.floorMod(channel.rank() - distance, RANKS),
                    buffer);
        }

        private void gather(Channel channel, int root, long bytes) {
            MemorySegment memory = Arena.ofAuto().allocate(bytes);
            if (channel.rank() != root) {
                channel.send(root, PayloadType.PLAIN, memory, 0, bytes);
                return;
            }
            for (int peer = 0; peer < RANKS; peer++) {
                if (peer != root) {
                    channel.receive(peer, Arena.ofAuto().allocate(bytes), 0, bytes);
                }
            }
            for (int i = 1; i < RANKS; i++) {
                int peer = channel.awaitAny();
                channel.awaitReceived(peer);
                traces.get(root).add("heard " + peer);
            }
        }
    }

    private static int pause() {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(50_000));
        return 0;
    }
}
