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
        }
    }
}
