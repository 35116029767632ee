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

class BackendSelfTestTest {

    @ParameterizedTest
    @EnumSource
    void acceptsTheOperationsOfTheCpu(Device device) {
        try (var operations = new Operations(device)) {
            assertThatCode(() -> BackendSelfTest.requireRightResults(operations))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void passesOnTheCpuForEitherDevice() {
        assertThat(Nd4jBackend.tested(Device.CPU).device()).isEqualTo(Device.CPU);
        assertThat(Nd4jBackend.tested(Device.CUDA).device()).isEqualTo(Device.CUDA);
    }

    @Test
    void missingCudaIsNamed() {
        assertThat(Nd4jBackend.builtFor()).isEqualTo(Device.CPU);
        assertThatExceptionOfType(BackendUnavailable.class)
                .isThrownBy(Nd4jBackend::onCuda)
                .withMessageStartingWith("this agent is built for CUDA, whose driver")
                .withMessageContaining("cudart");
    }

    @Test
    void rejectsResultsThatAreNotFetched() {
        assertRejected(operand -> new Lossy(operand, Operand::send, _ -> {}));
    }

    @Test
    void rejectsOperandsThatAreSentOnlyOnce() {
        assertRejected(operand -> {
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
    void rejectsAnErrorOfOneThousandth() {
        assertRejected(operand ->
                new Lossy(
                        operand,
                        Operand::send,
                        it -> {
                            it.array().muli(1 + 1e-3);
                            it.fetch();
                        }));
    }

    private static void assertRejected(UnaryOperator<Operand> loss) {
        try (var operations =
                new Operations(tensor -> loss.apply(Operand.on(Device.CUDA, tensor)))) {
            assertThatExceptionOfType(BackendUnavailable.class)
                    .isThrownBy(() -> BackendSelfTest.requireRightResults(operations))
                    .withMessageContaining("wrongly")
                    .withMessageContaining("instead of");
        }
    }

    /** Operand that sends or fetches incorrectly. */
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
