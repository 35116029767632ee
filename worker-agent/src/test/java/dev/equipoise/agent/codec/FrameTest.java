package dev.equipoise.agent.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.equipoise.agent.channel.Content;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameTest {

    private static final MemorySegment PAYLOAD = Arena.ofAuto().allocate(7);

    /** Bytes of Java have a sign, those of a header have none. */
    @ParameterizedTest
    @CsvSource({"1, 0", "1, 127", "127, 128", "128, 129", "200, 254", "255, 255"})
    void isTheSameAfterAChannel(int codec, int flags) {
        var frame = new Frame(codec, flags, 1000, PAYLOAD);

        assertThat(Frame.of(frame.content(), PAYLOAD)).isEqualTo(frame);
    }

    @Test
    void saysWhatItIsToAChannel() {
        assertThat(new Frame(200, 255, 1000, PAYLOAD).content())
                .isEqualTo(new Content((byte) -56, (byte) -1, 1000));
    }

    @Test
    void countsItsHeader() {
        assertThat(new Frame(1, 0, 1000, PAYLOAD).bytes()).isEqualTo(32 + 7);
    }

    @Test
    void plainBytesAreRefusedOnlyByTheCodec() {
        Frame plain = Frame.of(Content.PLAIN, PAYLOAD);

        assertThatExceptionOfType(FrameCorrupt.class)
                .isThrownBy(() ->
                        Codec.topK(0.1).decode(plain, new Chance(7, 1, 3), TestingVectors.zeros(0)))
                .withMessage("the codec must be 2, but was 0 at byte 0 of the payload");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 256})
    void refusesWhatIsNoByte(int value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Frame(value, 0, 1, PAYLOAD))
                .withMessage("codec must be from 0 to 255, but was %d", value);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Frame(1, value, 1, PAYLOAD))
                .withMessage("flags must be from 0 to 255, but was %d", value);
    }
}
