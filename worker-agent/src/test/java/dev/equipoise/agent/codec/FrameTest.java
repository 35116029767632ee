package dev.equipoise.agent.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.equipoise.agent.channel.PayloadType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameTest {

    private static final MemorySegment PAYLOAD = Arena.ofAuto().allocate(7);

    /** Java bytes are signed, header bytes are not. */
    @ParameterizedTest
    @CsvSource({"1, 0", "1, 127", "127, 128", "128, 129", "200, 254", "255, 255"})
    void survivesAChannel(int codec, int flags) {
        var frame = new Frame(codec, flags, 1000, PAYLOAD);

        assertThat(Frame.of(frame.content(), PAYLOAD)).isEqualTo(frame);
    }

    @Test
    void contentHoldsCodecFlagsAndElements() {
        assertThat(new Frame(200, 255, 1000, PAYLOAD).content())
                .isEqualTo(new PayloadType((byte) -56, (byte) -1, 1000));
    }

    @Test
    void bytesIncludeTheHeader() {
        assertThat(new Frame(1, 0, 1000, PAYLOAD).bytes()).isEqualTo(32 + 7);
    }

    @Test
    void theCodecRejectsPlainBytes() {
        Frame plain = Frame.of(PayloadType.PLAIN, PAYLOAD);

        assertThatExceptionOfType(FrameCorrupt.class)
                .isThrownBy(() ->
                        Codec.topK(0.1)
                                .decode(plain, new CodecRandom(7, 1, 3), TestingVectors.zeros(0)))
                .withMessage("the codec must be 2, but was 0 at byte 0 of the payload");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 256})
    void rejectsValuesThatDoNotFitAByte(int value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Frame(value, 0, 1, PAYLOAD))
                .withMessage("codec must be from 0 to 255, but was %d", value);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Frame(1, value, 1, PAYLOAD))
                .withMessage("flags must be from 0 to 255, but was %d", value);
    }
}
