package dev.equipoise.agent.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Frame sizes for ResNet-50 (docs/algorithms.md, section 6). */
class FrameSizeTest {

    private static final int RESNET_50 = 25_557_032;

    @Test
    void qsgdPayloadFollowsItsFormula() {
        assertThat(Codec.qsgd(4, 512).largestPayload(RESNET_50)).isEqualTo(12_978_184);
    }

    @Test
    void signNeedsOneBitPerElement() {
        assertThat(Codec.sign().largestPayload(RESNET_50)).isEqualTo(RESNET_50 / 8 + 4);
        assertThat(Codec.sign(List.of(RESNET_50 - 9, 9)).largestPayload(RESNET_50))
                .isEqualTo((RESNET_50 - 9 + 7) / 8 + 4 + 2 + 4);
    }

    @Test
    void randomKNeedsItsValuesOnly() {
        assertThat(Codec.randomK(0.01, true).largestPayload(RESNET_50)).isEqualTo(4 * 255_571);
    }

    /** The largest payload has a bitmap and the sent elements. */
    @Test
    void sparseCodecsNeedAtMostABitmapAndTheirElements() {
        assertThat(Codec.topK(0.01).largestPayload(RESNET_50))
                .isEqualTo(RESNET_50 / 8 + 4L * 255_571);
        assertThat(Codec.adaptiveThreshold(0.01).largestPayload(RESNET_50))
                .isEqualTo(RESNET_50 / 8 + 8L * 255_571);
        assertThat(Codec.adaptiveThreshold(0.6).largestPayload(80)).isEqualTo(10 + 4L * 80);
        assertThat(Codec.threshold(1).largestPayload(RESNET_50))
                .isEqualTo(RESNET_50 / 8 + 4L * RESNET_50);
    }
}
