package dev.equipoise.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.equipoise.agent.server.Message.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MessageTest {

    private final MemorySegment memory = Arena.ofAuto().allocate(32);

    @ParameterizedTest
    @EnumSource
    void comesBackAsItWasWritten(Kind kind) {
        var message = new Message(kind, 7, Long.MAX_VALUE - 3, 1L << 30);

        message.write(memory, 8);

        assertThat(Message.read(memory, 8)).isEqualTo(message);
    }

    @Test
    void isLittleEndianOnAllMachines() {
        new Message(Kind.PUSH, 2, 3, 4).write(memory, 0);

        assertThat(memory.asSlice(0, 24).toArray(ValueLayout.JAVA_BYTE))
                .containsExactly(
                        2, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0);
    }

    @Test
    void refusesKindsThatDoNotExist() {
        memory.set(ValueLayout.JAVA_BYTE, 0, (byte) 6);

        assertThatExceptionOfType(MessageRefused.class)
                .isThrownBy(() -> Message.read(memory, 0))
                .withMessage("there is no message of kind 6");
    }

    @Test
    void refusesWhatAnswersAnotherQuestion() {
        var shard = new Shard(3, 0, 0, 40);
        var values = new Message(Kind.VALUES, 3, 9, 40);

        assertThat(values.requireAnswer(Kind.VALUES, shard, 40)).isEqualTo(values);
        for (Message wrong :
                new Message[] {
                    new Message(Kind.APPLIED, 3, 9, 40),
                    new Message(Kind.VALUES, 2, 9, 40),
                    new Message(Kind.VALUES, 3, 9, 36)
                }) {
            assertThatExceptionOfType(MessageRefused.class)
                    .isThrownBy(() -> wrong.requireAnswer(Kind.VALUES, shard, 40))
                    .withMessageContaining("must be VALUES of shard 3 with 40 bytes");
        }
    }
}
