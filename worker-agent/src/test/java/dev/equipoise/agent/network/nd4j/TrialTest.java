package dev.equipoise.agent.network.nd4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.equipoise.agent.network.step.BackendUnavailable;
import dev.equipoise.agent.network.step.Device;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.nd4j.linalg.api.ndarray.INDArray;

class TrialTest {

    @ParameterizedTest
    @EnumSource
    void findsNothingWrongWithTheOperationsOfTheCpu(Device device) {
        try (var operations = new Operations(device)) {
            assertThatCode(() -> Trial.requireRightResults(operations)).doesNotThrowAnyException();
        }
    }

    @Test
    void isPassedOnTheCpuUnderEitherNameOfADevice() {
        assertThat(Nd4jBackend.tried(Device.CPU).device()).isEqualTo(Device.CPU);
        assertThat(Nd4jBackend.tried(Device.CUDA).device()).isEqualTo(Device.CUDA);
    }

    @Test
    void anAgentWithoutCudaSaysWhatIsMissing() {
        assertThat(Nd4jBackend.builtFor()).isEqualTo(Device.CPU);
        assertThatExceptionOfType(BackendUnavailable.class)
                .isThrownBy(Nd4jBackend::onCuda)
                .withMessageStartingWith("this agent is built for CUDA, whose driver")
                .withMessageContaining("cudart");
    }

    @Test
    void refusesWhatNeverComesBack() {
        requireRefused(operand -> new Lossy(operand, Operand::send, _ -> {}));
    }

    @Test
    void refusesWhatIsNotSentAnewInEveryRound() {
        requireRefused(operand -> {
            int[] sent = new int[1];
            return new Lossy(
                    operand,
                    it -> {
                        if (sent[0]++ == 0) {
                            it.send();
                        }
                    },
                    Operand::fetch);
        });
    }

    @Test
    void refusesWhatIsOffByAThousandth() {
        requireRefused(operand ->
                new Lossy(
                        operand,
                        Operand::send,
                        it -> {
                            it.array().muli(1 + 1e-3);
                            it.fetch();
                        }));
    }

    private static void requireRefused(UnaryOperator<Operand> loss) {
        try (var operations =
                new Operations(tensor -> loss.apply(Operand.on(Device.CUDA, tensor)))) {
            assertThatExceptionOfType(BackendUnavailable.class)
                    .isThrownBy(() -> Trial.requireRightResults(operations))
                    .withMessageContaining("wrongly")
                    .withMessageContaining("is right");
        }
    }

    /** Sends or fetches in another way than it should. */
    private record Lossy(Operand operand, Consumer<Operand> sending, Consumer<Operand> fetching)
            implements Operand {

        @Override
        public INDArray array() {
            return operand.array();
        }

        @Override
        public void send() {
            sending.accept(operand);
        }

        @Override
        public void fetch() {
            fetching.accept(operand);
        }

        @Override
        public void close() {
            operand.close();
        }
    }
}
