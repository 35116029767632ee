package dev.equipoise.agent.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.channel.TestingRanks;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BarrierTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 7, 8})
    void holdsAllRanksUntilTheLastArrives(int ranks) {
        var arrived = new AtomicInteger();

        TestingRanks.run(
                MemoryChannel.join(ranks),
                channel -> {
                    var barrier = new Barrier(channel);
                    for (int round = 1; round <= 100; round++) {
                        arrived.incrementAndGet();
                        barrier.await();
                        assertThat(arrived.get()).isGreaterThanOrEqualTo(round * ranks);
                    }
                });
    }

    @Test
    void sendsLogarithmicallyManyFrames() {
        List<Channel> channels = MemoryChannel.join(5);

        TestingRanks.run(channels, channel -> new Barrier(channel).await());

        assertThat(channels).extracting(Channel::bytesSent).containsOnly(3 * 32L);
    }

    @Test
    void failsWhenARankIsLost() {
        List<Channel> channels = MemoryChannel.join(4);
        channels.getLast().close();

        TestingRanks.run(
                channels.subList(0, 3),
                channel ->
                        assertThatExceptionOfType(ChannelFailed.class)
                                .isThrownBy(() -> new Barrier(channel).await()));
    }
}
