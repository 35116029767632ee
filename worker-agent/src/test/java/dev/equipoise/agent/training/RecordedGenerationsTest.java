package dev.equipoise.agent.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.agent.dataset.DatasetRegistry;
import dev.equipoise.agent.dataset.DatasetSettings;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.training.RepeatedGenerations.Generation;
import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Observation;
import dev.equipoise.protocol.OptimizerSpec;
import dev.equipoise.protocol.Synchronization;
import dev.equipoise.protocol.Topology;
import dev.equipoise.protocol.TrainingPlan;
import dev.equipoise.protocol.TrainingPlan.EpochDivision;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.network.Loss;
import dev.equipoise.protocol.network.Preset;
import dev.equipoise.testing.Night;
import java.io.File;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Repeats runs of real processes that lost ranks, in threads and without the faults: the weights
 * have the same bits. {@code ./equipoise chaos} records the runs and runs this test on the same
 * host, because processors of another kind add in another order.
 */
@Night("repeats what ./equipoise chaos has recorded")
@EnabledIfSystemProperty(named = RecordedGenerationsTest.FILE, matches = ".+")
class RecordedGenerationsTest {

    static final String FILE = "equipoise.generations";

    private static final JsonMapper JSON = JsonMapper.shared();

    /**
     * A completed run.
     *
     * @param name method and fault
     * @param configuration as the service returns it
     * @param rounds rounds of an epoch
     * @param parameters weight checksums after the last epoch, by rank
     */
    record RecordedRun(
            String name,
            JsonNode configuration,
            int rounds,
            List<Generation> generations,
            List<String> parameters) {

        private DatasetSpec dataset() {
            return JSON.treeToValue(configuration.path("dataset"), DatasetSpec.class);
        }

        private Method method() {
            return new Method(
                    JSON.treeToValue(configuration.path("synchronization"), Synchronization.class),
                    JSON.treeToValue(configuration.path("topology"), Topology.class),
                    JSON.treeToValue(configuration.path("compression"), Compression.class));
        }

        private TrainingPlan plan(List<Integer> shares) {
            JsonNode training = configuration.path("training");
            int epochs = training.path("epochs").asInt();
            return new TrainingPlan(
                    dataset(),
                    Preset.named(configuration.at("/network/preset").asString())
                            .orElseThrow()
                            .architecture(),
                    JSON.treeToValue(training.path("loss"), Loss.class),
                    JSON.treeToValue(training.path("optimizer"), OptimizerSpec.class),
                    epochs,
                    Observation.every(epochs),
                    configuration.path("seed").asLong(),
                    EpochDivision.of(shares, rounds),
                    method(),
                    ChannelKind.DIRECT,
                    new Execution.Real(),
                    List.of(),
                    List.of());
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<RecordedRun> runs() {
        var file = new File(Objects.requireNonNull(System.getProperty(FILE)));
        return Stream.of(JSON.readValue(file, RecordedRun[].class));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("runs")
    void repetitionHasTheSameWeights(RecordedRun run) throws InterruptedException {
        DatasetSpec dataset = run.dataset();
        DatasetSplit data =
                new DatasetRegistry(DatasetSettings.fromEnvironment(System.getenv()))
                        .load(dataset, dataset.limit());

        assertThat(new RepeatedGenerations(data, run::plan).repeat(run.generations()))
                .isEqualTo(run.parameters());
    }
}
