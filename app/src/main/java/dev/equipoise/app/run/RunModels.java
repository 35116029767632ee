package dev.equipoise.app.run;

import dev.equipoise.app.account.Quotas;
import dev.equipoise.app.checkpoint.ModelReplaced;
import dev.equipoise.app.checkpoint.ModelUpload;
import dev.equipoise.app.checkpoint.Models;
import dev.equipoise.app.checkpoint.Models.Origin;
import dev.equipoise.app.checkpoint.Models.StoredModel;
import dev.equipoise.app.configuration.ComparedAccuracy;
import dev.equipoise.app.configuration.KeepModel;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.configuration.Workload;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.InitialModel;
import dev.equipoise.protocol.ModelInstructions;
import dev.equipoise.protocol.ModelKeeping;
import dev.equipoise.protocol.ModelScore;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.model.ModelMetadata;
import dev.equipoise.protocol.model.ModelTensor;
import dev.equipoise.protocol.model.ModelTensors;
import dev.equipoise.protocol.model.TensorEntry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

/** Decides which model the ranks of a run store, and with which model they begin. */
@Service
public class RunModels {

    private static final Logger log = LoggerFactory.getLogger(RunModels.class);

    private final RunLocks locks;
    private final RunRepository runs;
    private final Models models;
    private final Quotas quotas;
    private final RunEvents runEvents;
    private final ApplicationEventPublisher events;
    private final JsonMapper json;

    RunModels(
            RunLocks locks,
            RunRepository runs,
            Models models,
            Quotas quotas,
            RunEvents runEvents,
            ApplicationEventPublisher events,
            JsonMapper json) {
        this.locks = locks;
        this.runs = runs;
        this.models = models;
        this.quotas = quotas;
        this.runEvents = runEvents;
        this.events = events;
        this.json = json;
    }

    /** Returns the instructions for the agents of a placed run; null if there are none. */
    @Nullable ModelInstructions instructions(Run run) {
        ModelKeeping keeping = keeping(run);
        InitialModel initial = isAtBeginning(run) ? initial(run.configuration()) : null;
        return keeping == null && initial == null ? null : new ModelInstructions(keeping, initial);
    }

    private @Nullable ModelKeeping keeping(Run run) {
        RunConfiguration configuration = run.configuration();
        ModelKeeping.Kept kept = kept(configuration);
        if (kept == null) {
            return null;
        }
        return new ModelKeeping(
                kept,
                isOfReplica(configuration)
                        ? ModelKeeping.WeightSource.BEST_REPLICA
                        : ModelKeeping.WeightSource.MEAN,
                criterion(configuration),
                kept == ModelKeeping.Kept.BEST ? scoreOf(run) : null);
    }

    /** Tells whether the model is that of a single replica, by which the run is compared. */
    static boolean isOfReplica(RunConfiguration configuration) {
        return configuration.instrumentation().evaluation().compared() == ComparedAccuracy.REPLICAS;
    }

    private static ModelKeeping.@Nullable Kept kept(RunConfiguration configuration) {
        return switch (configuration.instrumentation().keepModel()) {
            case LAST -> ModelKeeping.Kept.LAST;
            case BEST -> ModelKeeping.Kept.BEST;
            case NONE -> null;
        };
    }

    private static ModelKeeping.Criterion criterion(RunConfiguration configuration) {
        return configuration.architecture().isLanguageModel()
                ? ModelKeeping.Criterion.LOSS
                : ModelKeeping.Criterion.ACCURACY;
    }

    private @Nullable ModelScore scoreOf(Run run) {
        return models.find(RunId.of(run.id())).map(StoredModel::score).orElse(null);
    }

    /** Tells whether the ranks begin with a model, and not with random weights or a checkpoint. */
    static boolean beginsWithModel(Run run) {
        return isAtBeginning(run) && run.configuration().initial().isPresent();
    }

    /** Tells whether the ranks begin the training, and not at a checkpoint or a retained state. */
    private static boolean isAtBeginning(Run run) {
        return run.resumption() == null && run.epochsBefore() == 0;
    }

    private static @Nullable InitialModel initial(RunConfiguration configuration) {
        return configuration
                .initial()
                .map(it ->
                        new InitialModel(
                                it.run(),
                                // The submission has resolved it.
                                Objects.requireNonNull(it.digest())))
                .orElse(null);
    }

    /**
     * Model that a run accepts.
     *
     * @param tensors names and shapes of the network
     * @param metadata of the file, besides those of the agent
     */
    public record WantedModel(List<TensorEntry> tensors, Map<String, String> metadata) {}

    /**
     * Checks that a run stores a model of an evaluation.
     *
     * @throws Problem {@code illegal-state} if the run stores none, {@code stale-generation} if an
     *     earlier generation has it, {@code invalid-request} if the run has no such epoch
     */
    @Transactional(readOnly = true)
    public WantedModel requireWanted(Origin origin, ModelScore score) {
        Run run = require(origin.run());
        checkWanted(run, origin.generation(), score);
        List<TensorEntry> tensors =
                ModelTensors.of(run.configuration().architecture()).stream()
                        .map(ModelTensor::entry)
                        .toList();
        return new WantedModel(tensors, metadata(run, score));
    }

    /**
     * Checks that the project of a run has room for its model.
     *
     * @param bytes size of the file, which takes the place of the run's model
     * @throws Problem {@code quota-exceeded} if it has not
     */
    @Transactional(readOnly = true)
    public void requireRoom(RunId id, long bytes) {
        requireRoom(require(id), models.find(id), bytes);
    }

    private void requireRoom(Run run, Optional<StoredModel> stored, long bytes) {
        long replaced = stored.filter(it -> !it.isRemoved()).map(StoredModel::bytes).orElse(0L);
        quotas.requireRoom(run.projectId(), bytes, replaced);
    }

    private Map<String, String> metadata(Run run, ModelScore score) {
        Map<String, String> metadata = new LinkedHashMap<>();
        metadata.put(ModelMetadata.RUN, run.id().toString());
        metadata.put(ModelMetadata.EPOCH, Integer.toString(score.epoch()));
        metadata.put(ModelMetadata.ACCURACY, Double.toString(score.accuracy()));
        metadata.put(ModelMetadata.DEFINITION, json.writeValueAsString(run.configuration()));
        return metadata;
    }

    private Run require(RunId id) {
        return runs.findById(id.value()).orElseThrow(() -> Problem.notFound("run", id));
    }

    /**
     * Checks that a worker uploads the model of its own rank, unless it has all ranks of the run.
     *
     * @throws Problem {@code invalid-request} if it does not
     */
    @Transactional(readOnly = true)
    public void requireRank(RunId id, int own, int named) {
        Run run = require(id);
        boolean isOwn =
                run.configuration().isOnOneWorker()
                        ? named >= 0 && named < run.ranks()
                        : named == own;
        if (!isOwn) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "rank %d must upload its own model, but named rank %d".formatted(own, named));
        }
    }

    private static void checkWanted(Run run, int generation, ModelScore score) {
        if (run.generation() != generation) {
            throw Problem.of(
                    ErrorCode.STALE_GENERATION,
                    "The model is of generation %d, but run %s is in %d"
                            .formatted(generation, run.id(), run.generation()));
        }
        KeepModel kept = run.configuration().instrumentation().keepModel();
        if (!run.state().takesUploads() || kept == KeepModel.NONE) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Run %s is %s and keeps %s: it stores no model"
                            .formatted(run.id(), run.state(), kept));
        }
        int epochs = run.configuration().training().epochs();
        int first = kept == KeepModel.LAST ? epochs : run.epochsBefore() + 1;
        if (score.epoch() < first || score.epoch() > epochs) {
            throw Problem.of(
                    ErrorCode.INVALID_REQUEST,
                    "The model must be of an epoch from %d to %d, but is of %d"
                            .formatted(first, epochs, score.epoch()));
        }
    }

    /**
     * Records a model whose file is written, if the run still wants it and has no better one.
     *
     * @return whether the file is that of the run's model now
     * @throws Problem as {@link #requireWanted} and {@link #requireRoom}
     */
    @Transactional
    public boolean keep(Origin origin, ModelScore score, ModelUpload.WrittenModel file) {
        Run run = locks.lock(origin.run());
        checkWanted(run, origin.generation(), score);
        Optional<StoredModel> stored = models.find(origin.run());
        if (stored.isPresent() && !replaces(run.configuration(), stored.get(), origin, score)) {
            return false;
        }
        // Others may have filled the project during the upload.
        requireRoom(run, stored, file.bytes());
        models.record(origin, score, file);
        locks.touch(run);
        stored.ifPresent(it -> events.publishEvent(replaced(origin.run(), it)));
        runEvents.note(run.id(), "has the model after epoch %d".formatted(score.epoch()));
        log.info("model stored: {} epoch {}, {} bytes", origin, score.epoch(), file.bytes());
        return true;
    }

    private static ModelReplaced replaced(RunId run, StoredModel old) {
        return new ModelReplaced(
                new Origin(run, old.generation(), old.rank()), old.score().epoch(), old.upload());
    }

    /**
     * Whether a model takes the place of the stored one. That of the same rank and evaluation does,
     * since it is the same; of two ranks after the last epoch, the better one does.
     */
    private static boolean replaces(
            RunConfiguration configuration, StoredModel stored, Origin origin, ModelScore score) {
        boolean isOfSameEvaluation =
                stored.generation() == origin.generation()
                        && stored.score().epoch() == score.epoch();
        if (isOfSameEvaluation && stored.rank() == origin.rank()) {
            return true;
        }
        boolean isLater =
                configuration.instrumentation().keepModel() == KeepModel.LAST
                        && !isOfSameEvaluation;
        return isLater || score.isBetterThan(stored.score(), criterion(configuration));
    }

    /**
     * Returns the run and the model with whose weights a run begins.
     *
     * @throws Problem {@code not-found} if it begins with random weights, or the model is gone
     */
    @Transactional(readOnly = true)
    public SourceModel initialOf(RunId id) {
        Workload.Initial initial =
                runs.findById(id.value())
                        .flatMap(run -> run.configuration().initial())
                        .orElseThrow(() -> Problem.notFound("initial model of run", id));
        return models.find(initial.run())
                .filter(it -> !it.isRemoved() && it.digest().equals(initial.digest()))
                .map(it -> new SourceModel(initial.run(), it))
                .orElseThrow(() -> Problem.notFound("model of run", initial.run()));
    }

    /** Model with the run that trained it. */
    public record SourceModel(RunId run, StoredModel model) {}
}
