package dev.equipoise.agent.collective;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.TestingMesh;
import dev.equipoise.agent.channel.TestingRanks;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.protocol.Topology.Algorithm;
import dev.equipoise.testing.Night;
import dev.equipoise.testing.Patience;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many rounds with randomly delayed ranks: no rank hangs, nothing leaks, and every sum is right.
 */
class SoakIT {

    private static final int RANKS = 4;
    private static final int MESHES = 20;
    private static final int ROUNDS = 500;
    private static final int ROUNDS_IN_THE_GATE = 100;
    private static final int MAX_ELEMENTS = 300_000;
    private static final long SEED = 20261121;
    private static final int MAX_DELAY_NANOS = 200_000;
    private static final double DELAY_PROBABILITY = 0.1;

    @Test
    @Timeout(Patience.SECONDS)
    void sumsOfDelayedRanksAreRight() {
        soak(ROUNDS_IN_THE_GATE);
    }

    @Test
    @Night("ten thousand rounds; open files are counted for the whole process")
    void tenThousandRoundsOfDelayedRanksLeakNothing() {
        soak(ROUNDS);
        long descriptors = openFiles();
        long direct = directMemory();

        for (int mesh = 0; mesh < MESHES; mesh++) {
            soak(ROUNDS);
        }

        // The virtual machine opens some files by itself; a leak would grow with each mesh.
        assertThat(openFiles()).isLessThan(descriptors + MESHES);
        assertThat(directMemory()).isLessThanOrEqualTo(direct + (1 << 20));
    }

    private static void soak(int rounds) {
        try (var mesh = new TestingMesh(RANKS)) {
            List<Channel> channels = mesh.connectAll();
            TestingRanks.run(channels, channel -> soak(channel, rounds));
            channels.forEach(Channel::close);
        }
    }

    private static void soak(Channel channel, int rounds) {
        var shared = new SplittableRandom(SEED);
        var own = new SplittableRandom(SEED + 1 + channel.rank());
        try (Arena memory = Arena.ofShared()) {
            MemorySegment vector = memory.allocate(JAVA_FLOAT, MAX_ELEMENTS);
            List<AllReduce> allReduces = allReduces(channel, memory);
            for (int round = 0; round < rounds; round++) {
                int length = shared.nextInt(1, MAX_ELEMENTS);
                MemorySegment part = vector.asSlice(0, (long) length * Float.BYTES);
                fill(part, length, channel.rank());
                if (own.nextDouble() < DELAY_PROBABILITY) {
                    LockSupport.parkNanos(own.nextInt(MAX_DELAY_NANOS));
                }
                allReduces.get(shared.nextInt(allReduces.size())).sum(part);
                assertSum(part, shared.nextInt(length), round);
            }
        }
    }

    private static List<AllReduce> allReduces(Channel channel, Arena memory) {
        List<AllReduce> allReduces = new ArrayList<>();
        for (Algorithm algorithm : Algorithm.values()) {
            allReduces.add(
                    AllReduces.of(algorithm, channel, MAX_ELEMENTS, new SystemTime(), memory));
        }
        return allReduces;
    }

    private static void fill(MemorySegment vector, int length, int rank) {
        for (int i = 0; i < length; i++) {
            vector.setAtIndex(JAVA_FLOAT, i, (float) (rank + i));
        }
    }

    private static void assertSum(MemorySegment vector, int index, int round) {
        float expected = (float) (RANKS * (RANKS - 1) / 2 + RANKS * index);
        assertThat(vector.getAtIndex(JAVA_FLOAT, index)).as("round %d", round).isEqualTo(expected);
    }

    private static long openFiles() {
        return ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class)
                .getOpenFileDescriptorCount();
    }

    private static long directMemory() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }
}
