package dev.equipoise.app.experiment;

import static dev.equipoise.app.experiment.TestingDefinitions.SHORTEST;
import static dev.equipoise.app.experiment.TestingDefinitions.broken;
import static dev.equipoise.app.experiment.TestingDefinitions.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.configuration.Automatic;
import dev.equipoise.app.configuration.Choice;
import dev.equipoise.app.configuration.Instrumentation.Evaluation;
import dev.equipoise.app.configuration.Instrumentation.Target;
import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.protocol.Partitioning;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class AutomaticReaderTest {

    private static final String NO_WORKERS = SHORTEST.replace("workers: { replicas: 3 }\n", "");

    private static List<Choice> choices(RunConfiguration configuration) {
        return Objects.requireNonNull(configuration.automatic()).choices();
    }

    private static List<CandidateConfigurations.Alternative> alternatives(
            RunConfiguration open, int mostReplicas) {
        return CandidateConfigurations.of(open, mostReplicas).orElseThrow().list();
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "{kind: auto}"})
    void synchronizationMayBeAuto(String auto) {
        RunConfiguration open = read(SHORTEST + "synchronization: " + auto).getFirst();

        assertThat(open.isOpen()).isTrue();
        assertThat(choices(open)).containsExactly(Choice.SYNCHRONIZATION);
        assertThat(alternatives(open, 3))
                .extracting(it -> it.configuration().synchronization())
                .hasSizeGreaterThan(3)
                .hasAtLeastOneElementOfType(Synchronization.DiLoCo.class);
        assertThat(alternatives(open, 3))
                .extracting(it -> it.configuration().topology())
                .containsOnly(Topology.AllReduce.by(Topology.Algorithm.RING));
    }

    @ParameterizedTest
    @ValueSource(strings = {"workers: auto", "workers: {replicas: auto}"})
    void numberOfReplicasMayBeAuto(String workers) {
        RunConfiguration open = read(NO_WORKERS + workers).getFirst();

        assertThat(choices(open)).containsExactly(Choice.REPLICAS);
        assertThat(alternatives(open, 4))
                .extracting(it -> it.configuration().workers().replicas())
                .containsExactly(1, 2, 3, 4);
    }

    /** The overlap follows the batch counts. */
    @Test
    void autoBatchCountsAreTheBestForTheSpeeds() {
        RunConfiguration open =
                read(SHORTEST
                                + "synchronization: async\n"
                                + "partitioning: {kind: batch-counts, counts: auto}")
                        .getFirst();
        CandidateConfigurations alternatives = CandidateConfigurations.of(open, 3).orElseThrow();

        CandidateConfigurations.Alternative counted =
                alternatives.counted(
                        alternatives.list().getFirst(), List.of(1010.0, 1000.0, 2310.0));

        assertThat(choices(open)).containsExactly(Choice.COUNTS);
        assertThat(open.partitioning()).isEqualTo(new Partitioning.BatchCounts(List.of(1, 1, 1)));
        assertThat(counted.configuration().partitioning())
                .isEqualTo(new Partitioning.BatchCounts(List.of(2, 2, 5)));
        assertThat(counted.configuration().synchronization())
                .isInstanceOfSatisfying(
                        Synchronization.Async.class,
                        it -> assertThat(it.maxStaleness()).isEqualTo(5));
        assertThat(counted.changes()).containsOnlyKeys("partitioning.counts");
    }

    @Test
    void autoBatchCountsAreRoundedDownOnRequest() {
        RunConfiguration open =
                read(SHORTEST + "partitioning: {kind: batch-counts, counts: auto, rounding: floor}")
                        .getFirst();
        CandidateConfigurations alternatives = CandidateConfigurations.of(open, 3).orElseThrow();

        CandidateConfigurations.Alternative counted =
                alternatives.counted(
                        alternatives.list().getFirst(), List.of(1010.0, 1000.0, 2310.0));

        assertThat(counted.configuration().partitioning())
                .isEqualTo(new Partitioning.BatchCounts(List.of(1, 1, 2)));
    }

    /** ad-psgd exchanges only with neighbors. */
    @Test
    void initialValuesAreCompatibleWithOtherFields() {
        RunConfiguration open =
                read(SHORTEST + "synchronization: ad-psgd\ntopology: auto").getFirst();

        assertThat(open.topology()).isInstanceOf(Topology.Gossip.class);
    }

    @Test
    void choiceHasAReasonAndLeavesNothingOpen() {
        RunConfiguration open = read(SHORTEST + "topology: auto").getFirst();

        RunConfiguration chosen =
                alternatives(open, 3).getLast().chosenFor(open, "as it is faster");

        assertThat(chosen.isOpen()).isFalse();
        assertThat(chosen.automatic())
                .isEqualTo(new Automatic(List.of(Choice.TOPOLOGY), null, "as it is faster"));
    }

    @Test
    void openConfigurationSurvivesSerialization() {
        RunConfiguration open = read(NO_WORKERS + "workers: auto\ntopology: auto").getFirst();
        JsonMapper json = JsonMapper.shared();

        assertThat(json.readValue(json.writeValueAsString(open), RunConfiguration.class))
                .isEqualTo(open);
        assertThat(json.writeValueAsString(read(SHORTEST).getFirst())).doesNotContain("automatic");
    }

    @Test
    void runsOfAGridChooseSeparately() {
        assertThat(read(SHORTEST + "matrix: {synchronization: [bsp, auto]}\nseeds: [1, 2]"))
                .extracting(RunConfiguration::isOpen)
                .containsExactly(false, false, true, true);
    }

    @Test
    void incompatibleSettingsAreRejected() {
        assertThat(broken(NO_WORKERS + "workers: auto\nexecution: virtual"))
                .containsExactly(
                        "/workers/replicas must be a number unless the execution is real (auto)");
        assertThat(
                        broken(
                                NO_WORKERS
                                        + "workers: auto\npartitioning: {kind: constant, speeds: [1, 2]}"))
                .containsExactly(
                        "/workers/replicas must be a number with a partitioning that lists a value"
                                + " for each replica (auto)");
        assertThat(
                        broken(
                                SHORTEST
                                        + "synchronization: auto\ntopology: {kind: all-reduce, order: by-link}"))
                .containsExactly(
                        "/topology/order must not follow links with an auto setting (by-link)");
        assertThat(broken(SHORTEST.replace("epochs: 2", "epochs: 0") + "topology: auto"))
                .containsExactly("/training/epochs must be from 1 to 100000 (0)");
    }

    @Test
    void targetIsKept() {
        assertThat(
                        read(SHORTEST + "evaluation: {target: {accuracy: 0.9}}")
                                .getFirst()
                                .instrumentation()
                                .evaluation())
                .extracting(Evaluation::target)
                .isEqualTo(new Target(0.9));
    }
}
