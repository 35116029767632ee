package dev.equipoise.agent.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RankIdentityTest {

    private static final RunKey KEY = new RunKey(new byte[RunKey.BYTES]);

    @Test
    void rejectsARankOutsideTheRun() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RankIdentity(UUID.randomUUID(), 0, 3, 3, KEY))
                .withMessage("the rank must be in 0..2, but was 3");
    }

    @Test
    void rejectsANegativeGeneration() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RankIdentity(UUID.randomUUID(), -1, 0, 3, KEY))
                .withMessage("the generation must not be negative, but was -1");
    }

    @Test
    void doesNotPrintItsKey() {
        assertThat(new RankIdentity(UUID.randomUUID(), 0, 0, 1, KEY).toString())
                .contains("key=RunKey[secret]");
    }

    @Test
    void rejectsAKeyOfAnotherLength() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RunKey(new byte[16]))
                .withMessage("a run key must have 32 bytes, but has 16");
    }

    @Test
    void signsAsRfc4231Says() {
        // Test case 3 of RFC 4231 has a 20-byte key, which HMAC pads with zeros.
        byte[] secret = new byte[RunKey.BYTES];
        Arrays.fill(secret, 0, 20, (byte) 0xaa);
        byte[] rest = new byte[49];
        Arrays.fill(rest, (byte) 0xdd);

        byte[] proof = new RunKey(secret).sign((byte) 0xdd, ByteBuffer.wrap(rest));

        assertThat(HexFormat.of().formatHex(proof))
                .isEqualTo("773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
    }

    @Test
    void rejectsTimeoutsThatAreNotPositive() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Timeouts(Duration.ofSeconds(1), Duration.ZERO))
                .withMessage("the idle time-out must be positive, but was PT0S");
    }

    @Test
    void aProofIsBoundToOneNonceAndOneAddress() {
        var identity =
                new RankIdentity(UUID.randomUUID(), 1, 0, 2, new RunKey(new byte[RunKey.BYTES]));
        UUID nonce = UUID.randomUUID();
        byte[] answer = identity.answer(0, 1, nonce, "[10.0.0.1]:5701");

        assertThat(identity.answer(0, 1, nonce, "[10.0.0.1]:5701")).isEqualTo(answer);
        assertThat(identity.answer(0, 1, UUID.randomUUID(), "[10.0.0.1]:5701"))
                .isNotEqualTo(answer);
        assertThat(identity.answer(0, 1, nonce, "[10.0.0.2]:5701")).isNotEqualTo(answer);
        assertThat(identity.answer(1, 0, nonce, "[10.0.0.1]:5701")).isNotEqualTo(answer);
        assertThat(identity.publicName(0, 1)).isNotEqualTo(identity.stream(0, 1));
    }
}
