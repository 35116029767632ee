package dev.equipoise.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class OptimizerSpecTest {

    private static final Schedule CONSTANT = new Schedule.Constant(0);
    private static final Clipping NONE = new Clipping.None();

    private final JsonMapper json = JsonMapper.builder().build();

    static Stream<OptimizerSpec> specs() {
        return Stream.of(
                new OptimizerSpec.Sgd(0.05),
                new OptimizerSpec.Sgd(
                        0.1, 0.9, true, new Schedule.Step(30, 0.1, 5), new Clipping.Norm(5)),
                new OptimizerSpec.Sgd(0.1, 0.9, false, 0.004, CONSTANT, NONE),
                new OptimizerSpec.Adam(0.001, 0.9, 0.999, 1e-8, 0.5, CONSTANT, NONE),
                new OptimizerSpec.Adam(
                        0.001, 0.9, 0.999, 1e-8, new Schedule.Constant(0.5), new Clipping.Value(1)),
                new OptimizerSpec.AdamW(
                        0.001, 0.8, 0.99, 1e-6, 0.01, new Schedule.Cosine(0.1, 0.25), NONE));
    }

    @ParameterizedTest
    @MethodSource("specs")
    void survivesJson(OptimizerSpec spec) {
        assertThat(json.readValue(json.writeValueAsString(spec), OptimizerSpec.class))
                .isEqualTo(spec);
    }

    @Test
    void hasKindsInJson() {
        assertThat(json.readTree(json.writeValueAsString(new OptimizerSpec.Sgd(0.5))))
                .isEqualTo(
                        json.readTree(
                                """
                                {"kind": "sgd", "learningRate": 0.5, "momentum": 0.0,
                                 "nesterov": false, "schedule": {"kind": "constant", "warmUp": 0.0},
                                 "clipping": {"kind": "none"}}
                                """));
    }

    /** The service reads stored run configurations this strictly; early ones have no such field. */
    @Test
    void readsOptimizersStoredWithoutWeightDecay() {
        JsonMapper strict =
                json.rebuild().enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES).build();
        for (OptimizerSpec spec :
                List.of(
                        new OptimizerSpec.Sgd(0.5),
                        new OptimizerSpec.Adam(0.001, 0.9, 0.999, 1e-8, CONSTANT, NONE))) {
            ObjectNode stored = json.valueToTree(spec);

            assertThat(stored.has("weightDecay")).isFalse();
            assertThat(strict.treeToValue(stored, OptimizerSpec.class)).isEqualTo(spec);
        }
    }

    @Test
    void weightDecayIsCoupledForSgdAndAdamAlone() {
        assertThat(new OptimizerSpec.Sgd(1, 0, false, 0.25, CONSTANT, NONE).coupledDecay())
                .isEqualTo(0.25);
        assertThat(new OptimizerSpec.Adam(1, 0, 0, 1, 0.5, CONSTANT, NONE).coupledDecay())
                .isEqualTo(0.5);
        assertThat(adamW(1, 0.5).coupledDecay()).isZero();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -0.1, 1e-50, Double.NaN, Double.POSITIVE_INFINITY})
    void rejectsALearningRateThatUnderflowsFloat32(double learningRate) {
        assertRejected(() -> new OptimizerSpec.Sgd(learningRate), "learningRate", learningRate);
        assertRejected(() -> adam(learningRate, 0, 0, 1), "learningRate", learningRate);
        assertRejected(() -> adamW(learningRate, 0), "learningRate", learningRate);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 1, Double.NaN, Double.POSITIVE_INFINITY})
    void rejectsDecayRatesOutsideZeroToOne(double share) {
        assertRejected(
                () -> new OptimizerSpec.Sgd(1, share, false, CONSTANT, NONE), "momentum", share);
        assertRejected(() -> adam(1, share, 0, 1), "beta1", share);
        assertRejected(() -> adam(1, 0, share, 1), "beta2", share);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, 1e-50, Double.NaN, Double.POSITIVE_INFINITY})
    void rejectsAnEpsilonThatUnderflowsFloat32(double epsilon) {
        assertRejected(() -> adam(1, 0, 0, epsilon), "epsilon", epsilon);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY})
    void rejectsANegativeWeightDecay(double weightDecay) {
        assertRejected(() -> adamW(1, weightDecay), "weightDecay", weightDecay);
        assertRejected(
                () -> new OptimizerSpec.Sgd(1, 0, false, weightDecay, CONSTANT, NONE),
                "weightDecay",
                weightDecay);
        assertRejected(
                () -> new OptimizerSpec.Adam(1, 0, 0, 1, weightDecay, CONSTANT, NONE),
                "weightDecay",
                weightDecay);
    }

    @Test
    void rejectsACoupledDecayThatUnderflowsFloat32() {
        assertRejected(
                () -> new OptimizerSpec.Sgd(1, 0, false, 1e-50, CONSTANT, NONE),
                "weightDecay",
                1e-50);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, 1e-50, Double.NaN, Double.POSITIVE_INFINITY})
    void rejectsAClippingLimitThatUnderflowsFloat32(double limit) {
        assertRejected(() -> new Clipping.Norm(limit), "limit", limit);
        assertRejected(() -> new Clipping.Value(limit), "limit", limit);
    }

    @Test
    void rejectsNesterovWithoutMomentum() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OptimizerSpec.Sgd(1, 0, true, CONSTANT, NONE))
                .withMessage("nesterov must be false with momentum 0: set a momentum above 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"schedule", "clipping"})
    void rejectsAnOptimizerWithout(String field) {
        ObjectNode incomplete = json.valueToTree(new OptimizerSpec.Sgd(1));
        incomplete.remove(field);

        assertThatThrownBy(() -> json.treeToValue(incomplete, OptimizerSpec.class))
                .hasRootCauseMessage(field + " must be given");
    }

    private static OptimizerSpec adam(double rate, double beta1, double beta2, double epsilon) {
        return new OptimizerSpec.Adam(rate, beta1, beta2, epsilon, CONSTANT, NONE);
    }

    private static OptimizerSpec adamW(double rate, double weightDecay) {
        return new OptimizerSpec.AdamW(rate, 0, 0, 1, weightDecay, CONSTANT, NONE);
    }

    private static void assertRejected(Runnable construction, String name, double value) {
        assertThatIllegalArgumentException()
                .isThrownBy(construction::run)
                .withMessageStartingWith(name + " must be ")
                .withMessageEndingWith("but was " + value);
    }
}
