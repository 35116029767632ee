package dev.equipoise.app.mlflow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MlflowNameTest {

    @ParameterizedTest
    @CsvSource({
        "training.batchSize, training.batchSize",
        "workers.selector.a/b, workers.selector.a_b",
        "'a:b,c', a_b_c",
        "r\u00e4ume, r_ume",
        "., _.",
        "..x, _..x",
        "'', _"
    })
    void namesAreConvertedToAcceptedOnes(String name, String key) {
        assertThat(MlflowName.of(name)).isEqualTo(key);
    }

    @Test
    void longNameIsCutVisibly() {
        assertThat(MlflowName.of("k".repeat(250))).isEqualTo("k".repeat(250));
        assertThat(MlflowName.of("k".repeat(251))).isEqualTo("k".repeat(247) + "...");
    }

    @Test
    void surrogatePairsAreNotSplit() {
        assertThat(MlflowName.cut(10, "123456\ud83d\ude00890")).isEqualTo("123456...");
    }
}
