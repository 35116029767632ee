package dev.equipoise.app.filter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldCatalogTest {

    @ParameterizedTest
    @CsvSource({
        "testAccuracy, testAccuracy",
        "accuracy, testAccuracy",
        "batchSize, training.batchSize",
        "training.batchSize, training.batchSize",
        "synchronization, synchronization.kind",
        "topology.order, topology.order"
    })
    void fieldsHaveShortNames(String name, String field) {
        assertThat(TestingFields.CATALOG.find(name).map(FilterField::name)).contains(field);
    }

    @Test
    void endOfSeveralFieldsIsNoName() {
        assertThat(TestingFields.CATALOG.find("order")).isEmpty();
        assertThat(TestingFields.CATALOG.find("kind")).isEmpty();
        assertThat(TestingFields.CATALOG.find("workers.selector.")).isEmpty();
    }

    @Test
    void aliasesOfAFieldAreListed() {
        assertThat(
                        TestingFields.CATALOG.aliases(
                                TestingFields.CATALOG.find("synchronization.kind").orElseThrow()))
                .containsExactly("synchronization");
        assertThat(
                        TestingFields.CATALOG.aliases(
                                TestingFields.CATALOG.find("training.batchSize").orElseThrow()))
                .containsExactly("batchSize");
    }
}
