package dev.equipoise.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.equipoise.protocol.ModelKeeping.Criterion;
import org.junit.jupiter.api.Test;

class ModelScoreTest {

    private static final ModelScore SCORE = new ModelScore(3, 0.5, 1);

    @Test
    void higherAccuracyIsBetterAndThenLowerLoss() {
        assertThat(SCORE.isBetterThan(null, Criterion.ACCURACY)).isTrue();
        assertThat(SCORE.isBetterThan(new ModelScore(1, 0.4, 0.1), Criterion.ACCURACY)).isTrue();
        assertThat(SCORE.isBetterThan(new ModelScore(1, 0.6, 2), Criterion.ACCURACY)).isFalse();
        assertThat(SCORE.isBetterThan(new ModelScore(1, 0.5, 1.1), Criterion.ACCURACY)).isTrue();
        assertThat(SCORE.isBetterThan(new ModelScore(1, 0.5, 1), Criterion.ACCURACY))
                .as("the earlier of equal ones")
                .isFalse();
    }

    @Test
    void languageModelsAreComparedByLoss() {
        assertThat(SCORE.isBetterThan(new ModelScore(1, 0.4, 0.9), Criterion.LOSS)).isFalse();
        assertThat(SCORE.isBetterThan(new ModelScore(1, 0.6, 1.1), Criterion.LOSS)).isTrue();
    }

    @Test
    void impossibleScoresAreRejected() {
        assertThatIllegalArgumentException().isThrownBy(() -> new ModelScore(0, 0.5, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new ModelScore(1, 1.1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new ModelScore(1, Double.NaN, 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ModelScore(1, 0.5, Double.POSITIVE_INFINITY));
    }
}
