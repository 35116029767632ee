package dev.equipoise.app.run;

import dev.equipoise.app.checkpoint.Checkpoints;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.recovery.ResumePoint;
import dev.equipoise.protocol.Checkpointing;
import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.ModelInstructions;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.WorkerId;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Writes the instructions for the agents of placed runs. */
@Service
public class Dispatches {

    private final RunLocks locks;
    private final RunRankRepository runRanks;
    private final RunMeasurementsRepository measurements;
    private final Checkpoints checkpoints;
    private final RunModels models;
    private final RunEvents runEvents;

    Dispatches(
            RunLocks locks,
            RunRankRepository runRanks,
            RunMeasurementsRepository measurements,
            Checkpoints checkpoints,
            RunModels models,
            RunEvents runEvents) {
        this.locks = locks;
        this.runRanks = runRanks;
        this.measurements = measurements;
        this.checkpoints = checkpoints;
        this.models = models;
        this.runEvents = runEvents;
    }

    /**
     * Instructions for the agents of a placed run.
     *
     * @param peers workers in the order of their ranks
     * @param checkpointing null if the run cannot stop before its end
     * @param continuation null if the ranks load a checkpoint or start at the beginning
     * @param model null if there are no instructions about trained models
     */
    public record Dispatch(
            List<WorkerId> peers,
            TrainingPlan plan,
            @Nullable Checkpointing checkpointing,
            @Nullable Continuation continuation,
            @Nullable ModelInstructions model) {

        public Dispatch {
            peers = List.copyOf(peers);
        }
    }

    /** Records that an agent takes its assignment, and returns its instructions. */
    @Transactional
    public Dispatch dispatch(RunId id) {
        Run run = locks.lock(id);
        if (run.prepare()) {
            runEvents.append(run.id(), new RunEvent.State(run.state()));
        }
        List<RunRank> ranks = runRanks.findByKeyRunIdOrderByKeyRank(run.id());
        ResumePoint resumed = run.resumption();
        return new Dispatch(
                ranks.stream().map(runRank -> WorkerId.of(runRank.workerId())).toList(),
                TrainingPlans.of(run, ranks, measurements.findById(measured(run))),
                checkpointing(run),
                resumed == null ? null : resumed.continuation(),
                models.instructions(run));
    }

    /** Tells whether the ranks of a placed run begin with the model of another run. */
    @Transactional
    public boolean beginsWithModel(RunId id) {
        return RunModels.beginsWithModel(locks.lock(id));
    }

    /** Returns the run whose measurements apply: that of a replay is the replayed run. */
    private static UUID measured(Run run) {
        return run.configuration().repeats().map(RunId::value).orElse(run.id());
    }

    /**
     * Returns the checkpointing of a run; ranks that continue with a retained state load no
     * checkpoint.
     */
    private @Nullable Checkpointing checkpointing(Run run) {
        RunConfiguration configuration = run.configuration();
        if (!configuration.isStoppable()) {
            return null;
        }
        int after = run.resumption() == null ? run.epochsBefore() : 0;
        // Ranks report a checkpoint that no longer exists themselves, when they do not find it.
        int parts =
                checkpoints
                        .find(RunId.of(run.id()), after)
                        .map(Checkpoints.StoredCheckpoint::ranks)
                        .orElse(run.ranks());
        return new Checkpointing(
                after, after == 0 ? 0 : parts, configuration.scheduling().checkpoint().every());
    }
}
