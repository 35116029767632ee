package dev.equipoise.agent.link;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.Meeting;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.AgentEvent;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.MeasuredAllReduce;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.function.Consumer;

/** Does an assignment to measure links and sums; rank 0 tells what was found. */
public final class LinkProfiler {

    private final Meeting meeting;
    private final LinkPlan plan;
    private final Time time;

    public LinkProfiler(Meeting meeting, LinkPlan plan, Time time) {
        this.meeting = meeting;
        this.plan = plan;
        this.time = time;
    }

    /**
     * Measures every link, and sums over the first ranks.
     *
     * @throws AssignmentFailed when a rank is lost
     */
    public void run(Assignment.LinkProfiling assignment, Consumer<AgentEvent> events)
            throws InterruptedException {
        try (Channel channel = meeting.meet(assignment);
                Arena memory = Arena.ofShared()) {
            LinkMatrix found = new LinkBenchmark(channel, plan, time, memory).measure();
            List<MeasuredAllReduce> sums = new AllReduceBenchmark(channel, time, memory).measure();
            if (channel.rank() == 0) {
                found.links().forEach(link -> events.accept(new AgentEvent.LinkMeasured(link)));
                sums.forEach(sum -> events.accept(new AgentEvent.AllReduceMeasured(sum)));
            }
        } catch (ChannelFailed e) {
            throw AssignmentFailed.byWorker(
                    "peer-lost",
                    "at rank %d, measuring links: %s".formatted(assignment.rank(), e.getMessage()),
                    e);
        }
    }
}
