package dev.equipoise.agent.network;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.network.step.Activation;
import dev.equipoise.protocol.network.Shape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Input of a program. */
sealed interface Input {

    static Input allocate(Arena arena, int batch, Shape shape) {
        return switch (shape) {
            case Shape.Tokens(int length, int vocabulary) -> new Words(length * batch, vocabulary);
            case Shape.Image _, Shape.Vector _, Shape.Sequence _ ->
                    new Values(Activation.samples(arena, batch, shape));
        };
    }

    void load(Minibatch minibatch);

    /** Numeric samples: images and vectors. */
    record Values(Activation activation) implements Input {

        @Override
        public void load(Minibatch minibatch) {
            MemorySegment to = activation.value().memory();
            MemorySegment.copy(
                    minibatch.values(), JAVA_FLOAT, 0, to, JAVA_FLOAT, 0, to.byteSize() / 4);
        }
    }

    /** Word indices, time-major. */
    final class Words implements Input {
        private final int[] tokens;
        private final int vocabulary;

        private Words(int tokens, int vocabulary) {
            this.tokens = new int[tokens];
            this.vocabulary = vocabulary;
        }

        int count() {
            return tokens.length;
        }

        int word(int index) {
            return Objects.checkIndex(tokens[index], vocabulary);
        }

        @Override
        public void load(Minibatch minibatch) {
            System.arraycopy(minibatch.tokens(), 0, tokens, 0, tokens.length);
        }
    }
}
