package dev.equipoise.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.equipoise.app.filter.FieldType;
import dev.equipoise.app.filter.FilterField;
import dev.equipoise.app.problem.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunFieldsTest {

    /** Length of an identifier in PostgreSQL, in bytes. */
    private static final int MAX_NAME = 63;

    private static FilterField field(String name) {
        return RunFields.CATALOG.find(name).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "accuracy, testAccuracy, NUMBER",
        "loss, testLoss, NUMBER",
        "name, experiment, TEXT",
        "tags, tag, TAGS",
        "method, synchronization.kind, CHOICE",
        "synchronization, synchronization.kind, CHOICE",
        "topology, topology.kind, CHOICE",
        "optimizer, training.optimizer.kind, CHOICE",
        "dataset, dataset.name, CHOICE",
        "network, network.preset, TEXT",
        "replicas, workers.replicas, NUMBER",
        "batchSize, training.batchSize, NUMBER",
        "learningRate, training.optimizer.learningRate, NUMBER",
        "seed, seed, NUMBER",
        "trace, trace, BOOLEAN",
        "initial.run, initial.run, ID",
        "epochSeconds, epochSeconds, DURATION",
        "keepModel, keepModel, CHOICE",
        "workers.selector.room, workers.selector.room, TEXT"
    })
    void fieldsOfRunsHaveShortNames(String name, String field, FieldType type) {
        assertThat(field(name).name()).isEqualTo(field);
        assertThat(field(name).type()).isEqualTo(type);
    }

    @Test
    void choicesHaveTheWordsOfAllVariants() {
        assertThat(field("state").values()).contains("QUEUED", "CANCELLED");
        assertThat(field("dataset").values()).contains("mnist", "csv", "synthetic");
        assertThat(field("synchronization.momentum").values())
                .containsExactly("local", "average", "reset");
        assertThat(field("keepModel").values()).containsExactly("last", "best", "none");
    }

    @Test
    void namesAreIdentifiersOfTheDatabase() {
        assertThat(RunFields.CATALOG.all())
                .hasSizeGreaterThan(100)
                .allSatisfy(
                        it -> assertThat(it.name()).matches("[A-Za-z0-9.]{1," + MAX_NAME + "}"));
    }

    @Test
    void unknownSortFieldIsRejectedWithTheSimilarOne() {
        assertThatThrownBy(() -> RunOrder.of("-acuracy"))
                .isInstanceOf(Problem.class)
                .hasMessageContaining("?sort is not a field; did you mean accuracy?");
        assertThat(RunOrder.of("-accuracy").label()).isEqualTo("-testAccuracy");
        assertThat(RunOrder.of("")).isEqualTo(RunOrder.DEFAULT);
    }
}
