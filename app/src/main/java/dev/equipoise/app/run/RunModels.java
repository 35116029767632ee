package dev.equipoise.app.run;

import dev.equipoise.app.account.Quotas;
import dev.equipoise.app.checkpoint.ModelChanged;
import dev.equipoise.app.checkpoint.ModelUpload;
import dev.equipoise.app.checkpoint.Models;
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
        InitialModel initial = beginsAtInitialModel(run) ? initial(run.configuration()) : null;
        return keeping == null && initial == null ? null : new ModelInstructions(keeping, initial);
    }

    private @Nullable ModelKeeping keeping(Run run) {
        RunConfiguration configuration = run.configuration();
        ModelKeeping.Kept kept = kept(configuration);
        if (kept == null) {
            return null;
        }
        boolean isOfReplica =
                configuration.instrumentation().evaluation().compared()
                        == ComparedAccuracy.REPLICAS;
        return new ModelKeeping(
                kept,
                isOfReplica ? ModelKeeping.Source.BEST_REPLICA : ModelKeeping.Source.MEAN,
                criterion(configuration),
                kept == ModelKeeping.Kept.BEST ? scoreOf(run) : null);
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

    /** Tells whether the ranks begin the training, and not at a checkpoint or a retained state. */
    private static boolean beginsAtInitialModel(Run run) {
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
    public record Wanted(List<TensorEntry> tensors, Map<String, String> metadata) {}

    /**
     * Checks that a run stores a model of an evaluation, and that its project has room for it.
     *
     * @param generation generation of the rank that has it
     * @throws Problem {@code illegal-state} if the run stores none, {@code stale-generation} if an
     *     earlier generation has it, {@code invalid-request} if the run has no such epoch, {@code
     *     quota-exceeded}
     */
    @Transactional(readOnly = true)
    public Wanted requireWanted(RunId id, int generation, ModelScore score) {
        Run run =
                runs.findById(id.value()).orElseThrow(() -> Problem.notFound("run", id));
        checkWanted(run, generation, score);
        quotas.requireRoom(run.projectId());
        List<TensorEntry> tensors =
                ModelTensors.of(run.configuration().architecture()).stream()
                        .map(ModelTensor::entry)
                        .toList();
        return new Wanted(tensors, metadata(run, score));
    }

    private Map<String, String> metadata(Run run, ModelScore score) {
        Map<String, String> metadata = new LinkedHashMap<>();
        metadata.put(ModelMetadata.RUN, run.id().toString());
        metadata.put(ModelMetadata.EPOCH, Integer.toString(score.epoch()));
        metadata.put(ModelMetadata.ACCURACY, Double.toString(score.accuracy()));
        metadata.put(ModelMetadata.DEFINITION, json.writeValueAsString(run.configuration()));
        return metadata;
    }

    private static void checkWanted(Run run, int generation, ModelScore score) {
        if (run.generation() != generation) {
            throw Problem.of(
                    ErrorCode.STALE_GENERATION,
                    "The model is of generation %d, but run %s is in %d"
                            .formatted(generation, run.id(), run.generation()));
        }
        KeepModel kept = run.configuration().instrumentation().keepModel();
        if (run.state() != RunState.RUNNING || kept == KeepModel.NONE) {
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
     */
    @Transactional
    public boolean keep(RunId id, int generation, ModelScore score, ModelUpload.Written file) {
        Run run = locks.lock(id);
        checkWanted(run, generation, score);
        if (!replaces(run, generation, score)) {
            return false;
        }
        models.record(id, generation, score, file);
        locks.touch(run);
        events.publishEvent(new ModelChanged(id));
        runEvents.note(run.id(), "has the model after epoch %d".formatted(score.epoch()));
        log.info(
                "model stored: run {} generation {} epoch {}, {} bytes",
                id,
                generation,
                score.epoch(),
                file.bytes());
        return true;
    }

    /** Whether a model takes the place of the stored one; that of the same evaluation does. */
    private boolean replaces(Run run, int generation, ModelScore score) {
        Optional<StoredModel> stored = models.find(RunId.of(run.id()));
        boolean isSame =
                stored.isPresent()
                        && stored.get().generation() == generation
                        && stored.get().score().epoch() == score.epoch();
        return isSame
                || run.configuration().instrumentation().keepModel() == KeepModel.LAST
                || score.isBetterThan(
                        stored.map(StoredModel::score).orElse(null),
                        criterion(run.configuration()));
    }

    /**
     * Returns the run and the model with whose weights a run begins.
     *
     * @throws Problem {@code not-found} if it begins with random weights, or the model is gone
     */
    @Transactional(readOnly = true)
    public Source initialOf(RunId id) {
        Workload.Initial initial =
                runs.findById(id.value())
                        .flatMap(run -> run.configuration().initial())
                        .orElseThrow(() -> Problem.notFound("initial model of run", id));
        return models.find(initial.run())
                .filter(it -> !it.isRemoved() && it.digest().equals(initial.digest()))
                .map(it -> new Source(initial.run(), it))
                .orElseThrow(() -> Problem.notFound("model of run", initial.run()));
    }

    /** Model with the run that trained it. */
    public record Source(RunId run, StoredModel model) {}
}
