package dev.equipoise.agent.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.channel.TestingRanks;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.agent.time.SystemTime;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.LinkReport;
import dev.equipoise.protocol.MeasuredAllReduce;
import dev.equipoise.protocol.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LinkProfilerTest {

    private static final LinkPlan PLAN =
            new LinkPlan(List.of(1_024L, 65_536L), Duration.ofMillis(50), 5);
    private static final List<WorkerId> WORKERS =
            Stream.generate(() -> WorkerId.of(UUID.randomUUID())).limit(3).toList();

    @Test
    void rankZeroReportsEveryLink() {
        Queue<AgentEvent> reported = new ConcurrentLinkedQueue<>();

        TestingRanks.run(
                MemoryChannel.join(3),
                channel -> run(channel, channel.rank() == 0 ? reported : null));

        assertThat(reported)
                .filteredOn(LinkReport.LinkMeasured.class::isInstance)
                .extracting(event -> ((LinkReport.LinkMeasured) event).link())
                .extracting(link -> List.of(link.low(), link.high()))
                .containsExactly(List.of(0, 1), List.of(0, 2), List.of(1, 2));
    }

    /** Reports all-reduces by five algorithms, over two and three ranks, of five lengths. */
    @Test
    void rankZeroReportsAllReducesOverTheFirstRanks() {
        Queue<AgentEvent> reported = new ConcurrentLinkedQueue<>();

        TestingRanks.run(
                MemoryChannel.join(3),
                channel -> run(channel, channel.rank() == 0 ? reported : null));

        assertThat(reported)
                .filteredOn(LinkReport.AllReduceMeasured.class::isInstance)
                .extracting(event -> ((LinkReport.AllReduceMeasured) event).allReduce())
                .hasSize(2 * 5 * 5)
                .doesNotHaveDuplicates()
                .allSatisfy(it -> assertThat(it.ranks()).isBetween(2, 3))
                .allSatisfy(it -> assertThat(it.seconds()).isPositive())
                .extracting(MeasuredAllReduce::numbers)
                .contains(10, 100, 1_000, 10_000, 100_000);
    }

    @Test
    void lostPeerIsTheReason() {
        List<Channel> channels = MemoryChannel.join(2);
        channels.getLast().close();

        assertThatExceptionOfType(AssignmentFailed.class)
                .isThrownBy(() -> run(channels.getFirst(), new ConcurrentLinkedQueue<>()))
                .withMessageStartingWith("rank 0 failed to measure links: ");
    }

    private static void run(Channel channel, @Nullable Queue<AgentEvent> reported) {
        var assignment =
                new Assignment.LinkProfiling(
                        AssignmentId.of(UUID.randomUUID()),
                        1,
                        UUID.randomUUID(),
                        channel.rank(),
                        WORKERS.subList(0, channel.size()),
                        "key");
        try {
            new LinkProfiler(_ -> channel, PLAN, new SystemTime())
                    .run(assignment, event -> report(reported, event));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void report(@Nullable Queue<AgentEvent> reported, AgentEvent event) {
        if (reported == null) {
            throw new AssertionError("only rank 0 may report, but got " + event);
        }
        reported.add(event);
    }
}
