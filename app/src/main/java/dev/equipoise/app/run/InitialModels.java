package dev.equipoise.app.run;

import dev.equipoise.app.checkpoint.Models;
import dev.equipoise.app.checkpoint.Models.StoredModel;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.configuration.Workload;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.problem.Violation;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.model.ModelTensor;
import dev.equipoise.protocol.model.ModelTensors;
import dev.equipoise.protocol.network.Architecture;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Models with which runs begin: resolves them, and protects them until these runs have ended. */
@Component
class InitialModels {

    private static final String INITIAL = "/initial";
    private static final int SHOWN = 400;

    private final RunRepository runs;
    private final Models models;

    InitialModels(RunRepository runs, Models models) {
        this.runs = runs;
        this.models = models;
    }

    /**
     * Returns a configuration with the digest of the model with which its run begins. The run that
     * has the model cannot be removed until the transaction ends.
     *
     * @param project project of the run that would begin with it
     * @throws Problem {@code invalid-definition} if there is no such model, or its network has
     *     other tensors
     */
    @Transactional
    RunConfiguration resolve(RunConfiguration configuration, UUID project) {
        return configuration
                .initial()
                .map(it -> configuration.with(resolve(it, configuration.architecture(), project)))
                .orElse(configuration);
    }

    private Workload.Initial resolve(Workload.Initial wanted, Architecture network, UUID project) {
        Run source = source(wanted.run(), project);
        StoredModel model = model(source);
        if (wanted.digest() != null && !wanted.digest().equals(model.digest())) {
            throw rejected(
                    INITIAL + "/digest",
                    "must be that of the run's model, " + model.digest(),
                    wanted.digest());
        }
        requireSameTensors(source, network);
        return new Workload.Initial(wanted.run(), model.digest());
    }

    private Run source(RunId id, UUID project) {
        return runs.holdForOthers(id.value(), project)
                .flatMap(runs::findById)
                .orElseThrow(() -> rejected(INITIAL + "/run", "must be a run of this project", id));
    }

    private StoredModel model(Run source) {
        if (!source.state().isTerminal()) {
            throw rejected(
                    INITIAL + "/run",
                    "must be a run that has ended, but it is " + source.state(),
                    source.id());
        }
        try {
            return KeptModels.require(source, models.find(RunId.of(source.id())));
        } catch (Problem none) {
            throw rejected(
                    INITIAL + "/run",
                    "must be a run with a model. " + none.getMessage(),
                    source.id());
        }
    }

    private static void requireSameTensors(Run source, Architecture network) {
        Architecture other = source.configuration().architecture();
        List<ModelTensor> wanted = ModelTensors.of(network);
        List<ModelTensor> given = ModelTensors.of(other);
        if (!wanted.stream()
                .map(ModelTensor::entry)
                .toList()
                .equals(given.stream().map(ModelTensor::entry).toList())) {
            throw rejected(
                    "/network",
                    "must have the tensors of the model of run %s, which are %s, but has %s"
                            .formatted(source.id(), shown(given), shown(wanted)),
                    network.name());
        }
    }

    private static String shown(List<ModelTensor> tensors) {
        String all =
                tensors.stream()
                        .map(it -> it.name() + " " + it.shape())
                        .collect(Collectors.joining(", "));
        return all.length() > SHOWN ? all.substring(0, SHOWN) + "..." : all;
    }

    private static Problem rejected(String pointer, String rule, Object value) {
        return Problem.of(
                ErrorCode.INVALID_DEFINITION, List.of(new Violation(pointer, rule, value)));
    }

    /**
     * Checks that no open run begins with the model of a run. Callers must hold the lock of that
     * run.
     *
     * @throws Problem {@code illegal-state} if one does
     */
    void requireUnneeded(RunId id) {
        List<UUID> others = runs.findBeginningWith(id.toString());
        if (!others.isEmpty()) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Run %s begins with the model of run %s and has not ended (one of %d such runs): wait for it or cancel it"
                            .formatted(others.getFirst(), id, others.size()));
        }
    }
}
