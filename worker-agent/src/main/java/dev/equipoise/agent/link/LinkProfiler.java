package dev.equipoise.agent.link;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.Rendezvous;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.LinkReport;
import dev.equipoise.protocol.MeasuredAllReduce;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.function.Consumer;

/** Executes an assignment that measures links and all-reduces; rank 0 reports the results. */
public final class LinkProfiler {

    private final Rendezvous rendezvous;
    private final LinkPlan plan;
    private final Time time;

    public LinkProfiler(Rendezvous rendezvous, LinkPlan plan, Time time) {
        this.rendezvous = rendezvous;
        this.plan = plan;
        this.time = time;
    }

    /**
     * Measures every link, and all-reduces over the first ranks.
     *
     * @throws AssignmentFailed when a rank is lost
     */
    public void run(Assignment.LinkProfiling assignment, Consumer<LinkReport> events)
            throws InterruptedException {
        try (Channel channel = rendezvous.meet(assignment);
                Arena memory = Arena.ofShared()) {
            LinkMatrix matrix = new LinkBenchmark(channel, plan, time, memory).measure();
            List<MeasuredAllReduce> allReduces =
                    new AllReduceBenchmark(channel, time, memory).measure();
            if (channel.rank() == 0) {
                matrix.links().forEach(link -> events.accept(new LinkReport.LinkMeasured(link)));
                allReduces.forEach(each -> events.accept(new LinkReport.AllReduceMeasured(each)));
            }
        } catch (ChannelFailed e) {
            throw AssignmentFailed.byWorker(
                    "peer-lost",
                    "rank %d failed to measure links: %s"
                            .formatted(assignment.rank(), e.getMessage()),
                    e);
        }
    }
}
