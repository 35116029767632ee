package dev.equipoise.agent.service;

import dev.equipoise.agent.checkpoint.CheckpointReader;
import dev.equipoise.agent.checkpoint.ModelDownload;
import dev.equipoise.agent.checkpoint.ModelStore;
import dev.equipoise.agent.model.ModelDescription;
import dev.equipoise.agent.time.ExponentialBackoff;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.ContentDigest;
import dev.equipoise.protocol.InitialModel;
import dev.equipoise.protocol.ModelInstructions;
import dev.equipoise.protocol.ModelScore;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.model.ClassNames;
import dev.equipoise.protocol.model.ModelStream;
import dev.equipoise.protocol.model.ModelTensor;
import dev.equipoise.protocol.model.ModelTensors;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Models of one assignment, stored at the service as safetensors files. */
public final class ModelsAtService implements ModelStore {

    private static final Logger log = LoggerFactory.getLogger(ModelsAtService.class);
    private static final String UNAVAILABLE = "model-unavailable";
    private static final int MAX_FAILURES = 20;
    private static final int SLICE = 1 << 16;

    private final ServiceClient service;
    private final AssignmentId assignment;
    private final RunId run;
    private final TrainingPlan plan;
    private final ModelInstructions instructions;
    private final RunNotes notes;
    private final Time time;
    private final List<ModelTensor> tensors;
    private final List<String> classNames;

    /**
     * Creates a store whose models name the classes of published data sets.
     *
     * @param notes for people
     */
    public ModelsAtService(
            ServiceClient service,
            AssignmentId assignment,
            RunId run,
            TrainingPlan plan,
            ModelInstructions instructions,
            RunNotes notes,
            Time time) {
        this(
                service,
                assignment,
                run,
                plan,
                instructions,
                notes,
                time,
                ClassNames.of(plan.dataset()));
    }

    private ModelsAtService(
            ServiceClient service,
            AssignmentId assignment,
            RunId run,
            TrainingPlan plan,
            ModelInstructions instructions,
            RunNotes notes,
            Time time,
            List<String> classNames) {
        this.service = service;
        this.assignment = assignment;
        this.run = run;
        this.plan = plan;
        this.instructions = instructions;
        this.notes = notes;
        this.time = time;
        this.tensors = ModelTensors.of(plan.network());
        this.classNames = List.copyOf(classNames);
    }

    @Override
    public ModelStore naming(List<String> own) {
        return own.isEmpty()
                ? this
                : new ModelsAtService(
                        service, assignment, run, plan, instructions, notes, time, own);
    }

    @Override
    public ModelInstructions instructions() {
        return instructions;
    }

    /** Repeats the upload after temporary failures, for some minutes. */
    @Override
    public void store(int rank, ModelScore score, MemorySegment weights)
            throws InterruptedException {
        try {
            upload(rank, score, weights);
        } catch (InterruptedException e) {
            notes.report(
                    "did not store the model after epoch %d: the training stopped during the upload"
                            .formatted(score.epoch()));
            throw e;
        }
    }

    private void upload(int rank, ModelScore score, MemorySegment weights)
            throws InterruptedException {
        Map<String, String> metadata = metadata(score);
        long bytes = new ModelStream(metadata, tensors, weights).length();
        String digest = digest(new ModelStream(metadata, tensors, weights));
        for (int failures = 1; ; failures++) {
            try {
                service.keepModel(
                        assignment,
                        rank,
                        score,
                        new Requests.Upload(
                                () -> new ModelStream(metadata, tensors, weights), bytes, digest));
                return;
            } catch (ServiceFailed e) {
                if (!e.isTemporary() || failures == MAX_FAILURES) {
                    report(score, e);
                    return;
                }
                pause(failures, "storing a model");
            }
        }
    }

    private Map<String, String> metadata(ModelScore score) {
        // The service adds the definition.
        return new ModelDescription(
                        run,
                        score.epoch(),
                        score.accuracy(),
                        null,
                        plan.network(),
                        plan.dataset(),
                        plan.loss(),
                        classNames)
                .toMetadata();
    }

    private static String digest(ModelStream file) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] slice = new byte[SLICE];
            for (int read = file.read(slice, 0, SLICE);
                    read > 0;
                    read = file.read(slice, 0, SLICE)) {
                digest.update(slice, 0, read);
            }
            return ContentDigest.of(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private void report(ModelScore score, ServiceFailed failure) {
        log.warn("model not stored: {}", failure.getMessage());
        notes.report(
                "could not store the model after epoch %d: %s"
                        .formatted(score.epoch(), failure.getMessage()));
    }

    @Override
    public void loadInitial(MemorySegment weights) throws InterruptedException {
        InitialModel initial = Objects.requireNonNull(instructions.initial());
        var reader = new ModelDownload(tensors, initial.digest());
        for (int failures = 1; ; failures++) {
            try {
                var _ =
                        service.initialModel(
                                assignment, (stream, bytes) -> reader.read(stream, bytes, weights));
                notes.report("begins with the model of run %s".formatted(initial.run()));
                return;
            } catch (CheckpointReader.Corrupt e) {
                throw AssignmentFailed.byWorker(
                        "model-corrupt",
                        "the model of run %s is corrupt: %s"
                                .formatted(initial.run(), e.getMessage()),
                        e);
            } catch (ServiceFailed e) {
                if (!e.isTemporary()) {
                    throw rejected(initial, e);
                }
                if (failures == MAX_FAILURES) {
                    throw AssignmentFailed.byCapacity(UNAVAILABLE, unavailable(initial, e), e);
                }
                pause(failures, "fetching a model");
            }
        }
    }

    /** Returns the failure of the definition if the model is gone: no worker finds it any more. */
    private static AssignmentFailed rejected(InitialModel initial, ServiceFailed failure) {
        String message = unavailable(initial, failure);
        return failure.isNotFound()
                ? AssignmentFailed.byUser(UNAVAILABLE, message, failure)
                : AssignmentFailed.byWorker(UNAVAILABLE, message, failure);
    }

    private static String unavailable(InitialModel initial, ServiceFailed failure) {
        return "the model of run %s, with which this run begins, could not be fetched: %s"
                .formatted(initial.run(), failure.getMessage());
    }

    private void pause(int failures, String what) throws InterruptedException {
        time.sleep(ExponentialBackoff.DEFAULT.after(failures).toNanos());
        if (Thread.interrupted()) {
            throw new InterruptedException(what);
        }
    }
}
