package dev.equipoise.agent.network;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GemmTest {

    @Test
    void multipliesSquareMatrices() {
        try (Gemm gemm = new Gemm(17)) {
            gemm.run();
            gemm.run();

            assertThat(gemm.result()).isEqualTo(17);
            assertThat(gemm.operations()).isEqualTo(2.0 * 17 * 17 * 17);
        }
    }
}
