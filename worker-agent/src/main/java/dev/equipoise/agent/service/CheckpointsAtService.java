package dev.equipoise.agent.service;

import dev.equipoise.agent.checkpoint.CheckpointReader;
import dev.equipoise.agent.checkpoint.CheckpointStream;
import dev.equipoise.agent.checkpoint.Checkpoints;
import dev.equipoise.agent.checkpoint.Part;
import dev.equipoise.agent.time.BackOff;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Checkpointing;
import dev.equipoise.protocol.ReportReply;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The checkpoints of one assignment, which the service keeps. */
public final class CheckpointsAtService implements Checkpoints {

    private static final Logger log = LoggerFactory.getLogger(CheckpointsAtService.class);
    private static final String UNAVAILABLE = "checkpoint-unavailable";
    private static final int MOST_FAILURES = 20;

    private final ServiceClient service;
    private final Assignment.Training assignment;
    private final Checkpointing checkpointing;
    private final Notes notes;
    private final Supplier<ReportReply> wish;
    private final Time time;

    /**
     * @param notes for people
     * @param wish what the service has said last
     */
    public CheckpointsAtService(
            ServiceClient service,
            Assignment.Training assignment,
            Checkpointing checkpointing,
            Notes notes,
            Supplier<ReportReply> wish,
            Time time) {
        this.service = service;
        this.assignment = assignment;
        this.checkpointing = checkpointing;
        this.notes = notes;
        this.wish = wish;
        this.time = time;
    }

    @Override
    public int after() {
        return checkpointing.after();
    }

    @Override
    public int parts() {
        return checkpointing.parts();
    }

    @Override
    public ReportReply wish() {
        return wish.get();
    }

    @Override
    public boolean isDueAfter(int epoch) {
        return checkpointing.isDueAfter(epoch);
    }

    /** Once: while the service wants it, it is tried again after the next epoch. */
    @Override
    public boolean keep(int epoch, int ranks, Part part) throws InterruptedException {
        CheckpointHeader header =
                part.header(assignment.run(), assignment.generation(), epoch, ranks);
        try {
            service.keepCheckpoint(
                    assignment.id(), header, () -> new CheckpointStream(header, part));
            return true;
        } catch (ServiceFailed e) {
            log.warn("checkpoint not kept, training goes on: {}", e.getMessage());
            notes.tell(
                    "its part of the checkpoint after epoch %d was not taken, so that it trains on: %s"
                            .formatted(epoch, e.getMessage()));
            return false;
        }
    }

    @Override
    public long[] load(Part part) throws InterruptedException {
        var reader = new CheckpointReader(assignment.run(), after());
        for (int failures = 1; ; failures++) {
            try {
                return service.checkpoint(
                        assignment.id(), part.rank(), stream -> reader.read(stream, parts(), part));
            } catch (CheckpointReader.Corrupt e) {
                throw AssignmentFailed.byWorker(
                        "checkpoint-corrupt",
                        "the checkpoint after epoch %d cannot be used: %s"
                                .formatted(after(), e.getMessage()),
                        e);
            } catch (ServiceFailed e) {
                if (!e.isTemporary()) {
                    throw AssignmentFailed.byWorker(UNAVAILABLE, unavailable(e), e);
                }
                if (failures == MOST_FAILURES) {
                    throw AssignmentFailed.byCapacity(UNAVAILABLE, unavailable(e), e);
                }
                time.sleep(BackOff.DEFAULT.after(failures).toNanos());
                if (Thread.interrupted()) {
                    throw new InterruptedException("fetching a checkpoint");
                }
            }
        }
    }

    private String unavailable(ServiceFailed failure) {
        return "the checkpoint after epoch %d could not be fetched: %s"
                .formatted(after(), failure.getMessage());
    }
}
