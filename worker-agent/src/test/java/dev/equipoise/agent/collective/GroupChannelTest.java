package dev.equipoise.agent.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.virtual.LinkModel;
import dev.equipoise.agent.virtual.VirtualCluster;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

class GroupChannelTest {

    private static final List<List<Integer>> GROUPS = List.of(List.of(3, 0, 4), List.of(5, 1, 2));

    /** Each rank contributes its number; a group sums the numbers of its own ranks only. */
    @Test
    void groupsSumConcurrently() {
        try (var cluster = new VirtualCluster(6, LinkModel.uniform(1000, 1), 1)) {
            List<Callable<Float>> bodies = new ArrayList<>();
            for (int rank = 0; rank < 6; rank++) {
                int own = rank;
                List<Integer> group =
                        GROUPS.stream().filter(it -> it.contains(own)).findFirst().orElseThrow();
                bodies.add(() -> sum(new GroupChannel(cluster.channel(own), group), own));
            }

            assertThat(cluster.run(bodies)).containsExactly(7f, 8f, 8f, 7f, 7f, 8f);
        }
    }

    private static float sum(Channel channel, int value) {
        try (Arena memory = Arena.ofShared()) {
            MemorySegment vector = memory.allocateFrom(ValueLayout.JAVA_FLOAT, value);
            new RecursiveDoubling(channel, 1, memory).sum(vector);
            return vector.get(ValueLayout.JAVA_FLOAT, 0);
        }
    }

    @Test
    void ranksAreNumberedInTheGivenOrder() {
        try (var cluster = new VirtualCluster(5, LinkModel.uniform(0, 1), 1)) {
            var group = new GroupChannel(cluster.channel(0), List.of(3, 0, 4));

            assertThat(group.rank()).isEqualTo(1);
            assertThat(group.size()).isEqualTo(3);
        }
    }

    @Test
    void rejectsAGroupWithoutThisRank() {
        try (var cluster = new VirtualCluster(3, LinkModel.uniform(0, 1), 1)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new GroupChannel(cluster.channel(0), List.of(1, 2)));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new GroupChannel(cluster.channel(0), List.of(0, 1, 1)));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new GroupChannel(cluster.channel(0), List.of(0, 3)));
        }
    }
}
