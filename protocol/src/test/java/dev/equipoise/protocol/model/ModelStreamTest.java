package dev.equipoise.protocol.model;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Layer.Dense;
import dev.equipoise.protocol.network.Layer.Embedding;
import dev.equipoise.protocol.network.Layer.Rnn;
import dev.equipoise.protocol.network.Preset;
import dev.equipoise.protocol.network.Shape;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ModelStreamTest {

    private static final Architecture RECURRENT =
            new Architecture(
                    "recurrent",
                    new Shape.Tokens(2, 3),
                    List.of(new Embedding(2), new Rnn(2), new Dense(3)));
    private static final List<ModelTensor> TENSORS = ModelTensors.of(RECURRENT);

    private static float[] noise(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (float) random.nextDouble(-1, 1);
        }
        values[0] = -0.0f;
        return values;
    }

    private static byte[] written(Architecture network, float[] parameters) throws IOException {
        try (var stream =
                new ModelStream(
                        Map.of("epoch", "3"),
                        ModelTensors.of(network),
                        MemorySegment.ofArray(parameters))) {
            byte[] file = stream.readAllBytes();
            assertThat(stream.length()).isEqualTo(file.length);
            assertThat(stream.read()).isEqualTo(-1);
            return file;
        }
    }

    private static float[] read(List<ModelTensor> tensors, byte[] file, int count)
            throws IOException {
        float[] parameters = new float[count];
        Arrays.fill(parameters, 7);
        ModelReader.open(new ByteArrayInputStream(file), file.length)
                .readInto(tensors, MemorySegment.ofArray(parameters));
        return parameters;
    }

    @ParameterizedTest
    @EnumSource(Preset.class)
    void parametersAreReadAsTheyWereWritten(Preset preset) throws Exception {
        Architecture network = ModelTensorsTest.small(preset);
        float[] parameters = noise(network.parameterCount(), 33);

        byte[] file = written(network, parameters);

        assertThat(read(ModelTensors.of(network), file, parameters.length)).isEqualTo(parameters);
    }

    /** The second bias of a recurrent layer is a zero, which must not change the first. */
    @Test
    void negativeZerosKeepTheirBits() throws Exception {
        float[] parameters = new float[RECURRENT.parameterCount()];
        Arrays.fill(parameters, -0.0f);

        assertThat(read(TENSORS, written(RECURRENT, parameters), parameters.length))
                .isEqualTo(parameters);
    }

    @Test
    void byteByByteIsTheSameFile() throws Exception {
        float[] parameters = noise(RECURRENT.parameterCount(), 1);
        var bytes = new ByteArrayOutputStream();
        try (var stream =
                new ModelStream(Map.of("epoch", "3"), TENSORS, MemorySegment.ofArray(parameters))) {
            for (int next = stream.read(); next >= 0; next = stream.read()) {
                bytes.write(next);
            }
        }

        assertThat(bytes.toByteArray()).isEqualTo(written(RECURRENT, parameters));
    }

    /** PyTorch trains both biases of a recurrent layer, and other tools sort tensors by name. */
    @Test
    void tensorsOfAnotherOrderAreReadAndBiasesAddUp() throws Exception {
        byte[] file = fileOfOnes(TENSORS.reversed());

        float[] parameters = read(TENSORS, file, RECURRENT.parameterCount());

        for (ModelTensor tensor : TENSORS) {
            float expected = tensor.name().contains("bias_") ? 2 : 1;
            for (long i = 0; i < tensor.elements(); i++) {
                assertThat(parameters[(int) tensor.position(i)])
                        .as(tensor.name())
                        .isEqualTo(expected);
            }
        }
    }

    private static byte[] fileOfOnes(List<ModelTensor> tensors) {
        var header =
                new SafetensorsHeader(Map.of(), tensors.stream().map(ModelTensor::entry).toList());
        byte[] bytes = header.toBytes();
        ByteBuffer file =
                ByteBuffer.allocate(bytes.length + (int) header.dataBytes())
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .put(bytes);
        while (file.hasRemaining()) {
            file.putFloat(1);
        }
        return file.array();
    }

    @Test
    void tensorsOfAnotherNetworkAreRefusedBeforeAnythingIsRead() throws Exception {
        float[] parameters = noise(RECURRENT.parameterCount(), 1);
        byte[] file = written(RECURRENT, parameters);

        assertRefused(
                TENSORS.subList(0, 3),
                file,
                "the file has the tensor layers.1.bias_ih_l0, which the network does not have");
        assertRefused(
                ModelTensors.of(
                        new Architecture(
                                "wider",
                                new Shape.Tokens(2, 4),
                                List.of(new Embedding(2), new Rnn(2), new Dense(3)))),
                file,
                "the tensor layers.0.weight of the file has the shape [3, 2], but the network's has [4, 2]");
        assertRefused(
                TENSORS,
                fileOfOnes(TENSORS.subList(1, TENSORS.size())),
                "the file lacks the tensors [layers.0.weight] of the network");
    }

    private static void assertRefused(List<ModelTensor> tensors, byte[] file, String sentence)
            throws IOException {
        MemorySegment parameters = MemorySegment.ofArray(new float[1000]);
        ModelReader reader = ModelReader.open(new ByteArrayInputStream(file), file.length);

        assertThatExceptionOfType(ModelFileInvalid.class)
                .isThrownBy(() -> reader.requireTensors(tensors))
                .withMessage(sentence);
        assertThatExceptionOfType(ModelFileInvalid.class)
                .isThrownBy(() -> reader.readInto(tensors, parameters));
        assertThat(parameters.toArray(JAVA_FLOAT)).containsOnly(0);
    }

    @Test
    void fileThatEndsEarlyIsAnError() throws Exception {
        byte[] file = written(RECURRENT, noise(RECURRENT.parameterCount(), 1));
        var cut = new ByteArrayInputStream(file, 0, file.length - 1);
        ModelReader reader = ModelReader.open(cut, file.length);

        assertThatExceptionOfType(EOFException.class)
                .isThrownBy(() -> reader.readInto(TENSORS, MemorySegment.ofArray(new float[1000])));
    }
}
