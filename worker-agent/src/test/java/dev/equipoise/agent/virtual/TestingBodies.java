package dev.equipoise.agent.virtual;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.TestingRanks;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Runs the same body on all ranks of a cluster, each with its own channel. */
final class TestingBodies {

    private TestingBodies() {}

    /** The body of a rank, which returns a result. */
    interface Body<T extends @Nullable Object> {
        T run(Channel channel) throws Exception;
    }

    static void run(VirtualCluster cluster, TestingRanks.Rank rank) {
        List<@Nullable Void> _ =
                call(
                        cluster,
                        channel -> {
                            rank.run(channel);
                            return null;
                        });
    }

    static <T extends @Nullable Object> List<T> call(VirtualCluster cluster, Body<T> body) {
        return cluster.run(
                cluster.channels().stream()
                        .map(channel -> (Callable<T>) () -> body.run(channel))
                        .toList());
    }
}
