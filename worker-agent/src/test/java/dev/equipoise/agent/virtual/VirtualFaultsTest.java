package dev.equipoise.agent.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.Content;
import dev.equipoise.agent.time.Background;
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
 * Ranks do by seeded chance whatever a channel offers, and at a step of chance one of them closes
 * its channel, throws or falls silent. Everything ends, and does so alike each time.
 */
@Timeout(Patience.SECONDS)
class VirtualFaultsTest {

    private static final int RANKS = 6;
    private static final int STEPS = 30;
    private static final int MOST_BYTES = 400;
    private static final LinkModel LINKS =
            (from, to) -> new LinkSpeed((from * 7 + to * 3) % 5 * 100L, (from + to) % 3);

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void everythingEndsAlikeEachTime(int seed) {
        assertThat(new Play(seed).trace(2)).isEqualTo(new Play(seed).trace(1));
    }

    /** All that a seed decides, and what comes of it. */
    private static final class Play {

        private final int seed;
        private final int victim;
        private final int faultyStep;
        private final List<List<String>> seen =
                IntStream.range(0, RANKS).<List<String>>mapToObj(_ -> new ArrayList<>()).toList();

        private Play(int seed) {
            var random = new SplittableRandom(seed);
            this.seed = seed;
            this.victim = random.nextInt(RANKS);
            this.faultyStep = random.nextInt(STEPS);
        }

        private List<List<String>> trace(int threads) {
            try (var cluster = new VirtualCluster(RANKS, LINKS, threads)) {
                TestingBodies.run(cluster, channel -> play(cluster, channel));
            } catch (RuntimeException e) {
                seen.getFirst().add("the run ends with " + e);
            }
            return seen;
        }

        private void play(VirtualCluster cluster, Channel channel) {
            int rank = channel.rank();
            List<String> trace = seen.get(rank);
            try (Background background = cluster.background(rank)) {
                for (int step = 0; step < STEPS; step++) {
                    pause();
                    if (rank == victim && step == faultyStep && !survives(channel)) {
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

        private boolean survives(Channel channel) {
            switch (seed % 3) {
                case 0 -> channel.close();
                case 1 -> throw new IllegalStateException("as the seed will have it");
                default -> {
                    return false;
                }
            }
            return true;
        }

        /** What all do in a step, and with whom, is drawn alike by all. */
        private void play(
                VirtualCluster cluster, Channel channel, Background background, int step) {
            var random = new SplittableRandom(1000L * seed + step);
            int distance = 1 + random.nextInt(RANKS - 1);
            long bytes = random.nextInt(MOST_BYTES);
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
            seen.get(rank).add("done " + background.isDone());
            background.await();
        }

        private static void shift(Channel channel, int distance, long bytes) {
            MemorySegment memory = Arena.ofAuto().allocate(bytes);
            MemorySegment room = Arena.ofAuto().allocate(bytes);
            channel.exchange(
                    (channel.rank() + distance) % RANKS,
                    memory,
                    Math.floorMod(channel.rank() - distance, RANKS),
                    room);
        }

        private void gather(Channel channel, int root, long bytes) {
            MemorySegment memory = Arena.ofAuto().allocate(bytes);
            if (channel.rank() != root) {
                channel.send(root, Content.PLAIN, memory, 0, bytes);
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
                seen.get(root).add("heard " + peer);
            }
        }
    }

    private static int pause() {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(50_000));
        return 0;
    }
}
