package dev.equipoise.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.equipoise.agent.codec.Codec;
import dev.equipoise.agent.server.Message.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MessageTest {

    private final MemorySegment memory = Arena.ofAuto().allocate(48);

    @ParameterizedTest
    @EnumSource
    void readsWhatItWrote(Kind kind) {
        var message =
                new Message(
                        kind, 7, Long.MAX_VALUE - 3, 1L << 40, new Payload(255, 129, 3, 1L << 30));

        message.write(memory, 8);

        assertThat(Message.read(memory, 8)).isEqualTo(message);
    }

    @Test
    void isLittleEndianOnAllHosts() {
        new Message(Kind.PUSH, 2, 3, 4, new Payload(5, 6, 7, 8)).write(memory, 0);

        assertThat(memory.asSlice(0, 16).toArray(ValueLayout.JAVA_BYTE))
                .containsExactly(2, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0);
        assertThat(memory.asSlice(16, 24).toArray(ValueLayout.JAVA_BYTE))
                .containsExactly(
                        4, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 5, 6, 0, 0);
    }

    @Test
    void rejectsUnknownKinds() {
        memory.set(ValueLayout.JAVA_BYTE, 0, (byte) 7);

        assertThatExceptionOfType(MessageRefused.class)
                .isThrownBy(() -> Message.read(memory, 0))
                .withMessage("message kind 7 is unknown");
    }

    @Test
    void rejectsAnAnswerToAnotherRequest() {
        var shard = new Shard(3, 0, 0, 40);
        var values = new Message(Kind.VALUES, 3, 9, 0, Payload.plain(40));
        var applied = new Message(Kind.APPLIED, 3, 9, 2, Payload.NONE);

        assertThat(values.requireValues(shard, null)).isEqualTo(values);
        assertThat(applied.requireApplied(shard)).isEqualTo(applied);
        for (Message wrong :
                new Message[] {
                    applied,
                    new Message(Kind.VALUES, 2, 9, 0, Payload.plain(40)),
                    new Message(Kind.VALUES, 3, 9, 0, Payload.plain(36))
                }) {
            assertThatExceptionOfType(MessageRefused.class)
                    .isThrownBy(() -> wrong.requireValues(shard, null))
                    .withMessageStartingWith("the answer must be VALUES of Shard[index=3");
        }
        assertThatExceptionOfType(MessageRefused.class)
                .isThrownBy(() -> values.requireApplied(shard));
    }

    @Test
    void payloadMustFitTheShard() {
        var shard = new Shard(3, 0, 0, 40);
        Codec codec = Codec.threshold(0);
        int largest = (int) codec.largestPayload(10);

        assertThat(new Payload(codec.id(), 0, 10, largest).fits(shard, codec)).isTrue();
        assertThat(
                        List.of(
                                Payload.plain(40),
                                new Payload(codec.id() + 1, 0, 10, largest),
                                new Payload(codec.id(), 0, 9, largest),
                                new Payload(codec.id(), 0, -1, largest),
                                new Payload(codec.id(), 0, 10, largest + 1),
                                new Payload(codec.id(), 0, 10, -1)))
                .noneMatch(payload -> payload.fits(shard, codec));
        assertThat(new Payload(codec.id(), 0, 10, largest).fits(shard, null)).isFalse();
    }
}
