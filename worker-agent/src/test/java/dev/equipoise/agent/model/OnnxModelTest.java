package dev.equipoise.agent.model;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.equipoise.agent.network.Backends;
import dev.equipoise.agent.network.Minibatch;
import dev.equipoise.agent.network.Network;
import dev.equipoise.agent.network.Objective;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.protocol.model.InputScaling;
import dev.equipoise.protocol.model.ModelFileInvalid;
import dev.equipoise.protocol.network.Architecture;
import dev.equipoise.protocol.network.Shape.Image;
import dev.equipoise.protocol.network.Shape.Tokens;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the scores of ONNX Runtime with ours, for all presets and all kinds of layers. */
class OnnxModelTest {

    private static final Backend BACKEND = Backends.load();
    private static final OrtEnvironment RUNTIME = OrtEnvironment.getEnvironment();
    private static final int BATCH = 3;

    /** Relative tolerance for sums of some thousand float32 products. */
    private static final double TOLERANCE = 2e-5;

    static Stream<ModelDescription> models() {
        return TestingModels.all();
    }

    @ParameterizedTest
    @MethodSource("models")
    void onnxRuntimeComputesTheSameScores(ModelDescription model) throws Exception {
        Architecture architecture = model.network();
        var objective = Objective.meanCrossEntropy(architecture.scores());
        try (Network network = Network.of(architecture, objective, BACKEND)) {
            initialize(network);
            int[] raw = raw(architecture);

            float[] ours = samplesFirst(architecture, scores(network, model, raw));
            float[] theirs = runtimeScores(model, network.parameters(), raw);

            assertThat(theirs).hasSize(ours.length);
            double largest = largest(ours);
            assertThat(largest).isPositive();
            for (int i = 0; i < ours.length; i++) {
                assertThat((double) theirs[i])
                        .as("score %d", i)
                        .isCloseTo(ours[i], within(TOLERANCE * largest));
            }
        }
    }

    @Test
    void fileKeepsTheMetadata() throws Exception {
        ModelDescription model = TestingModels.all().findFirst().orElseThrow();
        MemorySegment parameters =
                MemorySegment.ofArray(new float[model.network().parameterCount()]);

        try (OrtSession session = RUNTIME.createSession(exported(model, parameters))) {
            assertThat(session.getMetadata().getCustomMetadata()).isEqualTo(model.toMetadata());
            assertThat(session.getMetadata().getProducerName()).isEqualTo("Equipoise");
        }
    }

    @Test
    void modelBeyondTheLimitOfOnnxIsRefused() {
        assertThatExceptionOfType(ModelFileInvalid.class)
                .isThrownBy(() -> OnnxModel.of(TestingModels.tooLargeForOnnx(), Map.of()))
                .withMessageMatching(
                        "the model takes [0-9]{10} bytes, but a file of ONNX holds at most 2147483647");
    }

    /** Adds to the biases, too, which begin at zero. */
    private static void initialize(Network network) {
        network.initialize(33);
        for (int i = 0; i < network.parameterCount(); i++) {
            float value = network.parameters().getAtIndex(JAVA_FLOAT, i);
            network.parameters().setAtIndex(JAVA_FLOAT, i, value + (float) (0.01 * Math.sin(i)));
        }
    }

    /** Returns raw values of all samples, or words; sample by sample, channels innermost. */
    private static int[] raw(Architecture architecture) {
        int most = architecture.input() instanceof Tokens tokens ? tokens.vocabulary() : 256;
        return new SplittableRandom(7)
                .ints((long) BATCH * architecture.input().size(), 0, most)
                .toArray();
    }

    private static float[] scores(Network network, ModelDescription model, int[] raw) {
        Architecture architecture = network.architecture();
        InputScaling scaling = InputScaling.of(model.dataset()).orElse(null);
        int size = architecture.input().size();
        int channels = architecture.input() instanceof Image image ? image.channels() : size;
        try (Arena memory = Arena.ofConfined()) {
            var minibatch =
                    new Minibatch(architecture.input(), architecture.positions(), BATCH, memory);
            minibatch.resize(BATCH);
            for (int i = 0; i < raw.length; i++) {
                if (architecture.input() instanceof Tokens) {
                    minibatch.token(i / size, i % size, raw[i]);
                } else {
                    double value = scaling == null ? raw[i] : scaling.apply(raw[i], i % channels);
                    minibatch.values().setAtIndex(JAVA_FLOAT, i, (float) value);
                }
            }
            return network.scores(minibatch)
                    .asSlice(0, 4L * BATCH * architecture.output().size())
                    .toArray(JAVA_FLOAT);
        }
    }

    /** Returns scores sample by sample; ours are position by position. */
    private static float[] samplesFirst(Architecture architecture, float[] scores) {
        int columns = architecture.scores();
        float[] sorted = new float[scores.length];
        for (int row = 0; row < scores.length / columns; row++) {
            int position = row / BATCH;
            int sample = row % BATCH;
            int to = sample * architecture.positions() + position;
            System.arraycopy(scores, row * columns, sorted, to * columns, columns);
        }
        return sorted;
    }

    private static float[] runtimeScores(
            ModelDescription model, MemorySegment parameters, int[] raw) throws Exception {
        try (OrtSession session = RUNTIME.createSession(exported(model, parameters));
                OnnxTensor input = input(model.network(), raw);
                OrtSession.Result result = session.run(Map.of(OnnxModel.INPUT, input))) {
            FloatBuffer scores =
                    ((OnnxTensor) result.get(OnnxModel.SCORES).orElseThrow()).getFloatBuffer();
            float[] values = new float[scores.remaining()];
            scores.get(values);
            return values;
        }
    }

    private static OnnxTensor input(Architecture architecture, int[] raw) throws OrtException {
        long[] shape =
                Stream.concat(
                                Stream.of(BATCH),
                                ModelDescription.sides(architecture.input()).stream())
                        .mapToLong(Integer::longValue)
                        .toArray();
        if (architecture.input() instanceof Tokens) {
            LongBuffer words = LongBuffer.allocate(raw.length);
            for (int word : raw) {
                words.put(word);
            }
            return OnnxTensor.createTensor(RUNTIME, words.flip(), shape);
        }
        FloatBuffer values = FloatBuffer.allocate(raw.length);
        for (int i = 0; i < raw.length; i++) {
            values.put(channelsFirst(architecture, i), raw[i]);
        }
        return OnnxTensor.createTensor(RUNTIME, values, shape);
    }

    /** Returns the index of a value in an image whose channels are first. */
    private static int channelsFirst(Architecture architecture, int index) {
        if (!(architecture.input() instanceof Image image)) {
            return index;
        }
        int pixels = image.height() * image.width();
        int sample = index / image.size();
        int pixel = index % image.size() / image.channels();
        int channel = index % image.channels();
        return sample * image.size() + channel * pixels + pixel;
    }

    private static byte[] exported(ModelDescription model, MemorySegment parameters)
            throws Exception {
        var file = new ByteArrayOutputStream();
        OnnxModel.of(model, model.toMetadata()).write(parameters, file);
        return file.toByteArray();
    }

    private static double largest(float[] values) {
        double largest = 0;
        for (float value : values) {
            largest = Math.max(largest, Math.abs(value));
        }
        return largest;
    }
}
