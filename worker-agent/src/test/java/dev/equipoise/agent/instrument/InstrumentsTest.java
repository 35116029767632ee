package dev.equipoise.agent.instrument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.FrameHeader;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.channel.PayloadType;
import dev.equipoise.agent.channel.TestingRanks;
import dev.equipoise.agent.time.TestingTime;
import dev.equipoise.protocol.EpochFinished.Phases;
import dev.equipoise.protocol.EpochFinished.Traffic;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class InstrumentsTest {

    private static final int HEADER = FrameHeader.BYTES;

    private final TestingTime time = new TestingTime();
    private final Channel alone = MemoryChannel.join(1).getFirst();

    @Test
    void phasesSumToTheWallTime() {
        time.sleep(1_000_000_000);
        var instruments = new Instruments(time, alone, 0);
        advance(instruments, Phase.COMPUTE, 3);
        advance(instruments, Phase.ENCODE, 1);
        advance(instruments, Phase.TRANSFER, 2);
        advance(instruments, Phase.APPLY, 4);
        advance(instruments, Phase.COMPUTE, 5);
        instruments.finish();

        assertThat(instruments.phases()).isEqualTo(new Phases(8, 1, 2, 0, 4, 0));
        assertThat(instruments.wallSeconds()).isEqualTo(15);
    }

    /** The first exchange ends in the computation, and the second 2 s after it. */
    @Test
    void exchangeBehindComputationIsHiddenUntilItsEnd() {
        var instruments = new Instruments(time, alone, 100);
        long start = time.nanoTime();
        advance(instruments, Phase.COMPUTE, 5);
        time.sleep(2_000_000_000);
        instruments.endOverlapped(
                TrafficKind.GRADIENT,
                List.of(),
                new long[] {start + 1_000_000_000L, start + 4_000_000_000L},
                new long[] {start + 2_500_000_000L, start + 7_000_000_000L});

        assertThat(instruments.phases()).isEqualTo(new Phases(5, 0, 2, 0, 0, 2.5));
        assertThat(instruments.hiddenSlices().toList())
                .containsExactly(
                        new TraceSlice(
                                Phase.TRANSFER, start + 1_000_000_000L, start + 2_500_000_000L),
                        new TraceSlice(
                                Phase.TRANSFER, start + 4_000_000_000L, start + 5_000_000_000L));
    }

    @Test
    void epochStartsAtZero() {
        var instruments = new Instruments(time, alone, 100);
        advance(instruments, Phase.COMPUTE, 3);
        instruments.stepped(0.5);
        instruments.applied(4);

        instruments.begin();

        assertThat(instruments.phases()).isEqualTo(new Phases(0, 0, 0, 0, 0, 0));
        assertThat(instruments.wallSeconds()).isZero();
        assertThat(instruments.steps()).isZero();
        assertThat(instruments.meanLearningRate()).isZero();
        assertThat(instruments.staleness()).isEqualTo(StalenessHistogram.EMPTY);
        assertThat(instruments.slices().toList()).isEmpty();
    }

    @Test
    void traceHasEveryPhaseInOrder() {
        var instruments = new Instruments(time, alone, 100);
        long begun = time.nanoTime();
        advance(instruments, Phase.COMPUTE, 3);
        advance(instruments, Phase.APPLY, 1);

        assertThat(instruments.slices().toList())
                .containsExactly(
                        new TraceSlice(Phase.COMPUTE, begun, begun + 3_000_000_000L),
                        new TraceSlice(
                                Phase.APPLY, begun + 3_000_000_000L, begun + 4_000_000_000L));
    }

    @Test
    void bytesBelongToTheNextNamedKind() {
        List<Channel> channels = MemoryChannel.join(2);
        Map<Integer, Traffic> traffic = new ConcurrentHashMap<>();

        TestingRanks.run(
                channels,
                channel -> {
                    var instruments = new Instruments(new TestingTime(), channel, 0);
                    exchange(channel, 100);
                    instruments.sent(TrafficKind.GRADIENT);
                    exchange(channel, 20);
                    exchange(channel, 0);
                    instruments.sent(TrafficKind.CONTROL);
                    traffic.put(channel.rank(), instruments.traffic());
                });

        assertThat(traffic.values())
                .containsOnly(new Traffic(100 + HEADER, 0, 20 + 2 * HEADER, 3))
                .hasSize(2);
    }

    /** Rank 1 is ready 5 s after rank 0, and its clock is an hour ahead. */
    @Test
    void firstReadyRankWaitsAndLastDoesNot() {
        Map<Integer, Phases> phases = new ConcurrentHashMap<>();

        TestingRanks.run(
                MemoryChannel.join(2),
                channel -> {
                    var clock = new TestingTime();
                    clock.sleep(channel.rank() * 3_600_000_000_000L);
                    var instruments = new Instruments(clock, channel, 0);
                    clock.sleep(channel.rank() == 0 ? 1_000_000_000 : 6_000_000_000L);
                    instruments.end(Phase.COMPUTE);
                    clock.sleep(channel.rank() == 0 ? 7_000_000_000L : 2_000_000_000);
                    instruments.endExchange(TrafficKind.GRADIENT, List.of());
                    new ReadyTimestamps(channel, clock, 3, Arena.ofAuto()).settle(instruments);
                    phases.put(channel.rank(), instruments.phases());
                });

        assertThat(phases.get(0)).isEqualTo(new Phases(1, 0, 2, 5, 0, 0));
        assertThat(phases.get(1)).isEqualTo(new Phases(6, 0, 2, 0, 0, 0));
    }

    /** A replica reports one exchange out of up to a thousand, a server none. */
    @Test
    void onlyExistingTimestampsAreSent() {
        Map<Integer, Long> bytes = new ConcurrentHashMap<>();

        TestingRanks.run(
                MemoryChannel.join(3),
                channel -> {
                    var clock = new TestingTime();
                    var instruments = new Instruments(clock, channel, 0);
                    clock.sleep(channel.rank() * 1_000_000_000L);
                    instruments.end(Phase.COMPUTE);
                    clock.sleep((3 - channel.rank()) * 1_000_000_000L);
                    if (channel.rank() > 0) {
                        instruments.endExchange(TrafficKind.GRADIENT, List.of(1, 2));
                    }
                    new ReadyTimestamps(channel, clock, 1_000, Arena.ofAuto()).settle(instruments);
                    bytes.put(channel.rank(), instruments.traffic().controlBytes());
                    assertThat(instruments.phases().waitSeconds())
                            .isEqualTo(channel.rank() == 1 ? 1 : 0);
                });

        assertThat(bytes.values()).allMatch(count -> count < 1_000);
    }

    /** A late rank in a ring of four delays its partners, but not the rank opposite. */
    @Test
    void ranksWaitOnlyForPartners() {
        Map<Integer, Double> waits = new ConcurrentHashMap<>();

        TestingRanks.run(
                MemoryChannel.join(4),
                channel -> {
                    int rank = channel.rank();
                    var clock = new TestingTime();
                    var instruments = new Instruments(clock, channel, 0);
                    clock.sleep(rank == 3 ? 2_000_000_000L : 1_000_000_000);
                    instruments.end(Phase.COMPUTE);
                    clock.sleep(rank == 3 ? 3_000_000_000L : 4_000_000_000L);
                    instruments.endExchange(
                            TrafficKind.GRADIENT, List.of((rank + 3) % 4, rank, (rank + 1) % 4));
                    new ReadyTimestamps(channel, clock, 1, Arena.ofAuto()).settle(instruments);
                    waits.put(rank, instruments.phases().waitSeconds());
                });

        assertThat(waits.get(0)).isCloseTo(1, within(1e-9));
        assertThat(waits.get(1)).isZero();
        assertThat(waits.get(2)).isCloseTo(1, within(1e-9));
        assertThat(waits.get(3)).isZero();
    }

    private static void exchange(Channel channel, long bytes) {
        int peer = 1 - channel.rank();
        MemorySegment memory = Arena.ofAuto().allocate(Math.max(1, bytes));
        channel.receive(peer, memory, 0, bytes);
        channel.send(peer, PayloadType.PLAIN, memory, 0, bytes);
        channel.awaitReceived(peer);
        channel.awaitSent(peer);
    }

    private void advance(Instruments instruments, Phase phase, long seconds) {
        time.sleep(seconds * 1_000_000_000);
        instruments.end(phase);
    }
}
