package dev.equipoise.benchmarks.codec;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.FrameHeader;
import dev.equipoise.agent.codec.Chance;
import dev.equipoise.agent.codec.Codec;
import dev.equipoise.agent.codec.Frame;
import dev.equipoise.agent.codec.Part;
import dev.equipoise.agent.codec.PowerSgd;
import dev.equipoise.agent.codec.PowerSgdState;
import dev.equipoise.benchmarks.Arguments;
import dev.equipoise.benchmarks.JsonLines;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./equipoise bench codec}. */
@Command(
        name = "codec",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Measures how fast one thread codes and decodes a gradient, the median of several"
                        + " rounds after some to warm up, and the bytes of the frame. Ends with 1 where"
                        + " a wanted speed is missed.")
public final class CodecBench implements Callable<Integer> {

    /** The parameters of ResNet-50. */
    private static final int RESNET_50 = 25_557_032;

    /** A vector of 4 GB. */
    private static final int MOST_ELEMENTS = 1 << 30;

    private static final int WARM_UPS = 5;
    private static final int ROUNDS = 11;
    private static final int RANK = 4;

    /** The last convolutions of ResNet-50: 512 outputs of 512 x 3 x 3 inputs. */
    private static final Part.Matrix CONVOLUTION = new Part.Matrix(512, 4608);

    @Option(
            names = "--elements",
            paramLabel = "N",
            description = "Length of the gradient (default: ${DEFAULT-VALUE}, as of ResNet-50).")
    private int elements = RESNET_50;

    @Option(names = "--json", paramLabel = "FILE", description = "Where all figures are written.")
    private @Nullable Path json;

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        check();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment gradient = arena.allocate(JAVA_FLOAT.scale(0, elements), 64);
            MemorySegment decoded = arena.allocate(JAVA_FLOAT.scale(0, elements), 64);
            fill(gradient);
            List<Speed> speeds = new ArrayList<>();
            for (Candidate candidate : Candidate.all(elements)) {
                long bytes = JAVA_FLOAT.scale(0, candidate.elements());
                print(
                        measure(candidate, gradient.asSlice(0, bytes), decoded.asSlice(0, bytes)),
                        speeds);
            }
            print(measurePowerSgd(gradient, decoded), speeds);
            JsonLines.write(json, speeds);
            return speeds.stream().allMatch(Speed::reached)
                    ? CommandLine.ExitCode.OK
                    : CommandLine.ExitCode.SOFTWARE;
        }
    }

    private static void print(Speed speed, List<Speed> speeds) {
        System.out.println(speed.line());
        speeds.add(speed);
    }

    private static void fill(MemorySegment gradient) {
        var random = new SplittableRandom(1);
        for (long i = 0; i < gradient.byteSize() / Float.BYTES; i++) {
            float element = (float) (Candidate.DEVIATION * random.nextGaussian());
            gradient.setAtIndex(JAVA_FLOAT, i, element);
        }
    }

    private static Speed measure(
            Candidate candidate, MemorySegment gradient, MemorySegment decoded) {
        Codec codec = candidate.codec();
        List<Long> encoding = new ArrayList<>();
        List<Long> decoding = new ArrayList<>();
        long bytes = 0;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment room = arena.allocate(codec.largestPayload(candidate.elements()), 64);
            for (int round = 0; round < WARM_UPS + ROUNDS; round++) {
                var chance = new Chance(1, 0, round);
                long begun = System.nanoTime();
                Frame frame = codec.encode(gradient, chance, room);
                long encoded = System.nanoTime();
                codec.decode(frame, chance, decoded);
                encoding.add(encoded - begun);
                decoding.add(System.nanoTime() - encoded);
                bytes = frame.bytes();
            }
        }
        return new Speed(
                candidate.name(),
                candidate.elements(),
                speed(gradient, encoding),
                speed(gradient, decoding),
                bytes,
                (double) gradient.byteSize() / bytes,
                candidate.elements() == RESNET_50 ? candidate.wanted() : null);
    }

    /** A whole round, in which the mean over the ranks costs nothing, as there is only one. */
    private Speed measurePowerSgd(MemorySegment gradient, MemorySegment agreed) {
        int matrices = elements / CONVOLUTION.length();
        List<Part> parts = new ArrayList<>(Collections.nCopies(matrices, CONVOLUTION));
        parts.add(new Part.Plain(elements % CONVOLUTION.length()));
        var powerSgd = new PowerSgd(parts, RANK, 1);
        List<Long> agreeing = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            PowerSgdState state = powerSgd.initialState(arena);
            for (int round = 0; round < WARM_UPS + ROUNDS; round++) {
                long begun = System.nanoTime();
                state = powerSgd.agree(state, gradient, _ -> {}, agreed);
                agreeing.add(System.nanoTime() - begun);
            }
        }
        long bytes = powerSgd.bytes() + 2 * FrameHeader.BYTES;
        return new Speed(
                "power-sgd rank " + RANK,
                elements,
                speed(gradient, agreeing),
                null,
                bytes,
                (double) gradient.byteSize() / bytes,
                null);
    }

    /** Bytes per nanosecond, which are GB/s, by the median of the rounds after the warm-up. */
    private static double speed(MemorySegment vector, List<Long> nanos) {
        long[] sorted = nanos.stream().skip(WARM_UPS).mapToLong(Long::longValue).sorted().toArray();
        return (double) vector.byteSize() / sorted[sorted.length / 2];
    }

    private void check() {
        Arguments.require(
                spec,
                elements >= 1 && elements <= MOST_ELEMENTS,
                "--elements must be from 1 to %d, but is %d".formatted(MOST_ELEMENTS, elements));
    }
}
