package dev.equipoise.agent.codec;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.equipoise.agent.channel.MemoryChannel;
import dev.equipoise.agent.channel.TestingRanks;
import dev.equipoise.agent.collective.RingAllReduce;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PowerSgdTest {

    private static final List<GradientPart> PARTS =
            List.of(
                    new GradientPart.Matrix(30, 40),
                    new GradientPart.Plain(30),
                    new GradientPart.Matrix(5, 2500),
                    new GradientPart.Matrix(1, 7),
                    new GradientPart.Plain(0));
    private static final int LENGTH = 30 * 40 + 30 + 5 * 2500 + 7;

    /** The mean over a single rank. */
    private static void meanOfOneRank(MemorySegment vector) {
        assertThat(vector.byteSize()).isPositive();
    }

    private static PowerSgd ofRank(int rank) {
        return new PowerSgd(PARTS, rank, 9);
    }

    /** The agreed vectors plus the residual equal the sum of the gradients. */
    @Test
    void residualKeepsTheWholeError() {
        PowerSgd codec = ofRank(2);
        PowerSgdState state = codec.initialState(Arena.ofAuto());
        MemorySegment agreed = TestingVectors.zeros(LENGTH);
        double[] difference = new double[LENGTH];

        for (int round = 0; round < 10; round++) {
            MemorySegment gradient = TestingVectors.integers(LENGTH, round);
            state = codec.agree(state, gradient, PowerSgdTest::meanOfOneRank, agreed);
            for (int i = 0; i < LENGTH; i++) {
                difference[i] += TestingVectors.get(gradient, i) - TestingVectors.get(agreed, i);
            }
        }

        for (int i = 0; i < LENGTH; i++) {
            assertThat(difference[i])
                    .isCloseTo(TestingVectors.get(state.residual(), i), within(1e-2));
        }
        assertThat(state.round()).isEqualTo(10);
    }

    @Test
    void aMatrixOfThisRankIsReconstructedInOneRound() {
        var matrix = new PowerSgd(List.of(new GradientPart.Matrix(30, 1100)), 2, 9);
        MemorySegment gradient = TestingVectors.of(30 * 1100, i -> rankTwo(i / 1100, i % 1100));
        MemorySegment agreed = TestingVectors.zeros(30 * 1100);

        matrix.agree(
                matrix.initialState(Arena.ofAuto()), gradient, PowerSgdTest::meanOfOneRank, agreed);

        assertThat(TestingVectors.floats(agreed))
                .containsExactly(TestingVectors.floats(gradient), within(1e-3f));
    }

    private static double rankTwo(int row, int column) {
        return Math.sin(row) * Math.cos(column) + 1e-3 * row * column;
    }

    @Test
    void otherPartsAreSentUncompressed() {
        PowerSgd codec = ofRank(1);
        MemorySegment gradient = TestingVectors.random(LENGTH, 1);
        MemorySegment agreed = TestingVectors.zeros(LENGTH);

        PowerSgdState state =
                codec.agree(
                        codec.initialState(Arena.ofAuto()),
                        gradient,
                        PowerSgdTest::meanOfOneRank,
                        agreed);

        for (int i = 1200; i < 1230; i++) {
            assertThat(TestingVectors.get(agreed, i)).isEqualTo(TestingVectors.get(gradient, i));
            assertThat(TestingVectors.get(state.residual(), i)).isZero();
        }
    }

    /** docs/algorithms.md, section 6: 4 r (rows + columns), and 4 for each other element. */
    @Test
    void bytesAreThoseOfTheFactors() {
        assertThat(ofRank(2).bytes())
                .isEqualTo(4 * (2 * (30 + 40) + 30 + 2 * (5 + 2500) + (1 + 7)));
    }

    @Test
    void aZeroGradientDoesNotDisableTheFactors() {
        PowerSgd codec = ofRank(2);
        MemorySegment agreed = TestingVectors.zeros(LENGTH);
        PowerSgdState state =
                codec.agree(
                        codec.initialState(Arena.ofAuto()),
                        TestingVectors.zeros(LENGTH),
                        PowerSgdTest::meanOfOneRank,
                        agreed);
        assertThat(TestingVectors.floats(agreed)).containsOnly(0);

        codec.agree(state, TestingVectors.of(LENGTH, _ -> 1), PowerSgdTest::meanOfOneRank, agreed);

        assertThat(TestingVectors.floats(agreed))
                .containsExactly(
                        TestingVectors.floats(TestingVectors.of(LENGTH, _ -> 1)), within(1e-3f));
    }

    @Test
    void allRanksComputeEqualBits() {
        List<MemorySegment> agreed =
                IntStream.range(0, 3).mapToObj(_ -> TestingVectors.zeros(LENGTH)).toList();

        TestingRanks.run(
                MemoryChannel.join(3),
                channel -> {
                    PowerSgd codec = ofRank(2);
                    var allReduce = new RingAllReduce(channel, Arena.ofAuto());
                    PowerSgdState state = codec.initialState(Arena.ofAuto());
                    for (int round = 0; round < 5; round++) {
                        state =
                                codec.agree(
                                        state,
                                        TestingVectors.random(LENGTH, 10 * round + channel.rank()),
                                        vector -> mean(allReduce, vector, 3),
                                        agreed.get(channel.rank()));
                    }
                });

        assertThat(agreed.get(0).mismatch(agreed.get(1))).isEqualTo(-1);
        assertThat(agreed.get(0).mismatch(agreed.get(2))).isEqualTo(-1);
    }

    /**
     * With equal right factors, two ranks compute the same as one rank with the means of their
     * inputs.
     */
    @Test
    void aJoiningRankContinuesWithThePeersFactors() {
        MemorySegment gradient = TestingVectors.integers(LENGTH, 2);
        PowerSgdState peer =
                agreeAsOneRank(
                                ofRank(2).initialState(Arena.ofAuto()),
                                TestingVectors.integers(LENGTH, 1))
                        .state();
        MemorySegment expected = agreeAsOneRank(withHalfTheResidual(peer), gradient).agreed();
        List<PowerSgdState> states = List.of(peer.copy(Arena.ofAuto()), joining(peer));
        MemorySegment agreed = TestingVectors.zeros(LENGTH);

        TestingRanks.run(
                MemoryChannel.join(2),
                channel -> {
                    var allReduce = new RingAllReduce(channel, Arena.ofAuto());
                    ofRank(2)
                            .agree(
                                    states.get(channel.rank()),
                                    gradient,
                                    vector -> mean(allReduce, vector, 2),
                                    channel.rank() == 0 ? agreed : TestingVectors.zeros(LENGTH));
                });

        assertThat(TestingVectors.floats(agreed))
                .containsExactly(TestingVectors.floats(expected), within(1e-3f));
    }

    private record Result(PowerSgdState state, MemorySegment agreed) {}

    private static Result agreeAsOneRank(PowerSgdState state, MemorySegment gradient) {
        MemorySegment agreed = TestingVectors.zeros(LENGTH);
        return new Result(
                ofRank(2).agree(state, gradient, PowerSgdTest::meanOfOneRank, agreed), agreed);
    }

    private static PowerSgdState withHalfTheResidual(PowerSgdState state) {
        return new PowerSgdState(
                state.round(),
                TestingVectors.of(LENGTH, i -> TestingVectors.get(state.residual(), i) / 2),
                state.copy(Arena.ofAuto()).right());
    }

    private static PowerSgdState joining(PowerSgdState peer) {
        return new PowerSgdState(
                peer.round(), TestingVectors.zeros(LENGTH), peer.copy(Arena.ofAuto()).right());
    }

    private static void mean(RingAllReduce allReduce, MemorySegment vector, int ranks) {
        allReduce.sum(vector);
        for (long i = 0; i < vector.byteSize() / Float.BYTES; i++) {
            vector.setAtIndex(JAVA_FLOAT, i, vector.getAtIndex(JAVA_FLOAT, i) / ranks);
        }
    }

    @Test
    void continuesFromACopyWithEqualBits() {
        PowerSgd codec = ofRank(2);
        MemorySegment first = TestingVectors.zeros(LENGTH);
        MemorySegment second = TestingVectors.zeros(LENGTH);
        PowerSgdState state =
                codec.agree(
                        codec.initialState(Arena.ofAuto()),
                        TestingVectors.random(LENGTH, 1),
                        PowerSgdTest::meanOfOneRank,
                        first);
        PowerSgdState copy = state.copy(Arena.ofAuto());

        codec.agree(state, TestingVectors.random(LENGTH, 2), PowerSgdTest::meanOfOneRank, first);
        ofRank(2)
                .agree(copy, TestingVectors.random(LENGTH, 2), PowerSgdTest::meanOfOneRank, second);

        assertThat(first.mismatch(second)).isEqualTo(-1);
    }

    /** The failure occurs in the first or in the second mean. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aFailedRoundIsRepeatedFromACopyWithEqualBits(int meansBefore) {
        PowerSgd codec = ofRank(2);
        MemorySegment agreed = TestingVectors.zeros(LENGTH);
        MemorySegment expected = TestingVectors.zeros(LENGTH);
        MemorySegment gradient = TestingVectors.random(LENGTH, 1);
        PowerSgdState state = codec.initialState(Arena.ofAuto());
        PowerSgdState copy = state.copy(Arena.ofAuto());
        ofRank(2)
                .agree(state.copy(Arena.ofAuto()), gradient, PowerSgdTest::meanOfOneRank, expected);

        assertThatIllegalStateException()
                .isThrownBy(() -> codec.agree(state, gradient, failingAfter(meansBefore), agreed))
                .withMessage("rank 1 is lost");
        codec.agree(copy, gradient, PowerSgdTest::meanOfOneRank, agreed);

        assertThat(agreed.mismatch(expected)).isEqualTo(-1);
    }

    private static Consumer<MemorySegment> failingAfter(int meansBefore) {
        var means = new AtomicInteger();
        return vector -> {
            if (means.getAndIncrement() == meansBefore) {
                vector.fill((byte) 0x55);
                throw new IllegalStateException("rank 1 is lost");
            }
        };
    }

    @Test
    void columnsBecomeOrthonormal() {
        MemorySegment factor = TestingVectors.random(3 * 50, 4);

        Orthonormal.make(factor, 50, 3);

        for (int left = 0; left < 3; left++) {
            for (int right = 0; right < 3; right++) {
                double dot = 0;
                for (int i = 0; i < 50; i++) {
                    dot +=
                            TestingVectors.get(factor, 50 * left + i)
                                    * TestingVectors.get(factor, 50 * right + i);
                }
                assertThat(dot).isCloseTo(left == right ? 1 : 0, within(1e-6));
            }
        }
    }

    @Test
    void aLinearlyDependentColumnBecomesZero() {
        MemorySegment factor = TestingVectors.of(1, 2, 3, -2, -4, -6);

        Orthonormal.make(factor, 3, 2);

        assertThat(Orthonormal.norm(factor, 3, 0)).isCloseTo(1, within(1e-6));
        assertThat(Orthonormal.norm(factor, 3, 1)).isZero();
    }

    @Test
    void rejectsNonFiniteElementsAndWrongLengths() {
        PowerSgd codec = ofRank(1);
        PowerSgdState state = codec.initialState(Arena.ofAuto());
        MemorySegment agreed = TestingVectors.zeros(LENGTH);

        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        codec.agree(
                                state,
                                TestingVectors.of(LENGTH, i -> i == 9 ? Double.NaN : 1),
                                PowerSgdTest::meanOfOneRank,
                                agreed))
                .withMessage("element 9 must be finite, but was NaN");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        codec.agree(
                                state,
                                TestingVectors.zeros(3),
                                PowerSgdTest::meanOfOneRank,
                                agreed))
                .withMessage(
                        "the gradient must have 54948 bytes (13737 elements), but has 12 bytes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ofRank(0))
                .withMessage("the rank must be at least 1, but was 0");
    }
}
