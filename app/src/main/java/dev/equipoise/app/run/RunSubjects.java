package dev.equipoise.app.run;

import dev.equipoise.app.account.Caller;
import dev.equipoise.app.configuration.ConfigurationValues;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.configuration.WrittenPaths;
import dev.equipoise.app.experiment.Experiments;
import dev.equipoise.app.queue.QueuePosition;
import dev.equipoise.app.queue.QueuePositions;
import dev.equipoise.protocol.RunId;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

/** Reads what tells compared runs apart: their configurations, and what their definitions write. */
@Service
public class RunSubjects {

    private final RunRepository runs;
    private final QueuePositions positions;
    private final Experiments experiments;
    private final JsonMapper json;

    RunSubjects(
            RunRepository runs,
            QueuePositions positions,
            Experiments experiments,
            JsonMapper json) {
        this.runs = runs;
        this.positions = positions;
        this.experiments = experiments;
        this.json = json;
    }

    /** Version of an experiment. */
    private record Version(UUID experiment, int number) {}

    /** Reads the written paths of each version once. */
    public final class Reader {

        private final Map<Version, WrittenPaths> written = new HashMap<>();

        private Reader() {}

        /** Returns the configuration of a run that the caller may see. */
        public LabeledConfiguration read(RunView run) {
            return labeled(
                    new Version(run.experiment(), run.experimentVersion()),
                    run.configuration(),
                    run.queuedAt());
        }

        private LabeledConfiguration read(Run run) {
            return labeled(
                    new Version(run.experimentId(), run.experimentVersion()),
                    run.configuration(),
                    run.queuedAt());
        }

        private LabeledConfiguration labeled(
                Version version, RunConfiguration configuration, Instant queuedAt) {
            return new LabeledConfiguration(
                    ConfigurationValues.of(json.valueToTree(configuration)),
                    written.computeIfAbsent(version, RunSubjects.this::written),
                    queuedAt);
        }
    }

    /** Creates a reader for one request. */
    public Reader reader() {
        return new Reader();
    }

    private WrittenPaths written(Version version) {
        return experiments
                .findDefinition(version.experiment(), version.number())
                .map(WrittenPaths::of)
                .orElse(WrittenPaths.NONE);
    }

    /** Returns those of some runs that the caller may see, in the given order. */
    @Transactional(readOnly = true)
    public List<RunSubject> find(Caller.User caller, List<RunId> ids) {
        Map<UUID, Run> found =
                runs.findAllById(ids.stream().map(RunId::value).toList()).stream()
                        .filter(it -> caller.maySee(it.projectId()))
                        .collect(Collectors.toMap(Run::id, Function.identity()));
        Map<UUID, QueuePosition> queue =
                positions.of(
                        found.values().stream()
                                .filter(it -> it.state() == RunState.QUEUED)
                                .map(Run::id)
                                .toList());
        Reader reader = reader();
        return ids.stream()
                .flatMap(it -> Optional.ofNullable(found.get(it.value())).stream())
                .map(it -> subject(it, Optional.ofNullable(queue.get(it.id())), reader))
                .toList();
    }

    private static RunSubject subject(Run run, Optional<QueuePosition> queue, Reader reader) {
        return new RunSubject(
                RunId.of(run.id()),
                run.state(),
                run.configuration().seed(),
                run.configuration().workers().replicas(),
                queue.map(QueuePosition::place).orElse(null),
                reader.read(run));
    }
}
