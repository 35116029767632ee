package dev.equipoise.agent.service;

import dev.equipoise.agent.checkpoint.CheckpointReader;
import dev.equipoise.agent.checkpoint.CheckpointStream;
import dev.equipoise.agent.checkpoint.Checkpoints;
import dev.equipoise.agent.checkpoint.RankStatePart;
import dev.equipoise.agent.time.ExponentialBackoff;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.Assignment;
import dev.equipoise.protocol.Checkpointing;
import dev.equipoise.protocol.ReportReply;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checkpoints of one assignment, stored at the service. */
public final class CheckpointsAtService implements Checkpoints {

    private static final Logger log = LoggerFactory.getLogger(CheckpointsAtService.class);
    private static final String UNAVAILABLE = "checkpoint-unavailable";
    private static final int MAX_FAILURES = 20;

    private final ServiceClient service;
    private final Assignment.Training assignment;
    private final Checkpointing checkpointing;
    private final RunNotes notes;
    private final Supplier<ReportReply> reply;
    private final Time time;

    /**
     * @param notes for people
     * @param reply returns the latest reply of the service
     */
    public CheckpointsAtService(
            ServiceClient service,
            Assignment.Training assignment,
            Checkpointing checkpointing,
            RunNotes notes,
            Supplier<ReportReply> reply,
            Time time) {
        this.service = service;
        this.assignment = assignment;
        this.checkpointing = checkpointing;
        this.notes = notes;
        this.reply = reply;
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
    public ReportReply reply() {
        return reply.get();
    }

    @Override
    public boolean isDueAfter(int epoch) {
        return checkpointing.isDueAfter(epoch);
    }

    /**
     * Tries once: while the service asks for a checkpoint, the next attempt follows after the next
     * epoch.
     */
    @Override
    public boolean keep(int epoch, int ranks, RankStatePart part) throws InterruptedException {
        CheckpointHeader header =
                part.header(assignment.run(), assignment.generation(), epoch, ranks);
        try {
            service.keepCheckpoint(
                    assignment.id(), header, () -> new CheckpointStream(header, part));
            return true;
        } catch (ServiceFailed e) {
            log.warn("checkpoint not stored, training continues: {}", e.getMessage());
            notes.tell(
                    "could not store its part of the checkpoint after epoch %d, and trains on: %s"
                            .formatted(epoch, e.getMessage()));
            return false;
        }
    }

    @Override
    public long[] load(RankStatePart part) throws InterruptedException {
        var reader = new CheckpointReader(assignment.run(), after());
        for (int failures = 1; ; failures++) {
            try {
                return service.checkpoint(
                        assignment.id(), part.rank(), stream -> reader.read(stream, parts(), part));
            } catch (CheckpointReader.Corrupt e) {
                throw AssignmentFailed.byWorker(
                        "checkpoint-corrupt",
                        "the checkpoint after epoch %d is corrupt: %s"
                                .formatted(after(), e.getMessage()),
                        e);
            } catch (ServiceFailed e) {
                if (!e.isTemporary()) {
                    throw AssignmentFailed.byWorker(UNAVAILABLE, unavailable(e), e);
                }
                if (failures == MAX_FAILURES) {
                    throw AssignmentFailed.byCapacity(UNAVAILABLE, unavailable(e), e);
                }
                time.sleep(ExponentialBackoff.DEFAULT.after(failures).toNanos());
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
