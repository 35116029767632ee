package dev.equipoise.agent.virtual;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelContract;
import dev.equipoise.agent.channel.TestingRanks;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

class VirtualChannelTest extends ChannelContract {

    private @Nullable VirtualCluster cluster;

    /** All ranks are in one process, which loses none alone. */
    @Override
    protected boolean toleratesLosses() {
        return false;
    }

    @Override
    protected List<Channel> join(int size) {
        cluster = new VirtualCluster(size, LinkModel.uniform(1000, 1), 1);
        return cluster.channels();
    }

    @Override
    protected void run(List<Channel> channels, TestingRanks.Rank rank) {
        TestingBodies.run(joined(), rank);
    }

    @Override
    protected long nanoTime(Channel channel) {
        return joined().time(channel.rank()).nanoTime();
    }

    private VirtualCluster joined() {
        return Objects.requireNonNull(cluster);
    }

    @AfterEach
    void close() {
        if (cluster != null) {
            cluster.close();
        }
    }
}
