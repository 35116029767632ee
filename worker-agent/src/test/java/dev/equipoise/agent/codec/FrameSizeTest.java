package dev.equipoise.agent.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The figures of ALGORITHMS section 6 for ResNet-50. */
class FrameSizeTest {

    private static final int RESNET_50 = 25_557_032;

    @Test
    void qsgdTakesTheBytesOfItsFormula() {
        assertThat(Codec.qsgd(4, 512).largestPayload(RESNET_50)).isEqualTo(12_978_184);
    }

    @Test
    void signTakesABitForEachElement() {
        assertThat(Codec.sign().largestPayload(RESNET_50)).isEqualTo(RESNET_50 / 8 + 4);
        assertThat(Codec.sign(List.of(RESNET_50 - 9, 9)).largestPayload(RESNET_50))
                .isEqualTo((RESNET_50 - 9 + 7) / 8 + 4 + 2 + 4);
    }

    @Test
    void randomKTakesItsValuesOnly() {
        assertThat(Codec.randomK(0.01, true).largestPayload(RESNET_50)).isEqualTo(4 * 255_571);
    }

    /** Whose frames have a bitmap at most, and so many elements. */
    @Test
    void sparseCodecsTakeNoMoreThanABitmapAndTheirElements() {
        assertThat(Codec.topK(0.01).largestPayload(RESNET_50))
                .isEqualTo(RESNET_50 / 8 + 4L * 255_571);
        assertThat(Codec.adaptiveThreshold(0.01).largestPayload(RESNET_50))
                .isEqualTo(RESNET_50 / 8 + 8L * 255_571);
        assertThat(Codec.adaptiveThreshold(0.6).largestPayload(80)).isEqualTo(10 + 4L * 80);
        assertThat(Codec.threshold(1).largestPayload(RESNET_50))
                .isEqualTo(RESNET_50 / 8 + 4L * RESNET_50);
    }
}
