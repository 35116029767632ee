package dev.equipoise.benchmarks.codec;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.FrameHeader;
import dev.equipoise.agent.codec.Codec;
import dev.equipoise.agent.codec.CodecRandom;
import dev.equipoise.agent.codec.Frame;
import dev.equipoise.agent.codec.GradientPart;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command {@code ./equipoise bench codec}. */
@Command(
        name = "codec",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Measures how fast one thread encodes and decodes a gradient, as the median of"
                        + " several rounds after a warm-up, and the size of the frame. Exits with 1"
                        + " if a wanted speed is missed.")
public final class CodecBench implements Callable<Integer> {

    /** Number of parameters of ResNet-50. */
    private static final int RESNET_50 = 25_557_032;

    /** Length of a vector of 4 GiB. */
    private static final int MAX_ELEMENTS = 1 << 30;

    private static final int WARM_UPS = 5;
    private static final int ROUNDS = 11;
    private static final int RANK = 4;

    /** Last convolutions of ResNet-50: 512 outputs of 512 x 3 x 3 inputs. */
    private static final GradientPart.Matrix CONVOLUTION = new GradientPart.Matrix(512, 4608);

    @Option(
            names = "--elements",
            paramLabel = "N",
            description = "Length of the gradient (default: ${DEFAULT-VALUE}, that of ResNet-50).")
    private int elements = RESNET_50;

    @Option(names = "--json", paramLabel = "FILE", description = "File for the figures.")
    private @Nullable Path json;

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        check();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment gradient = arena.allocate(JAVA_FLOAT.scale(0, elements), 64);
            MemorySegment decoded = arena.allocate(JAVA_FLOAT.scale(0, elements), 64);
            fill(gradient);
            List<Speed> speeds = measureAll(gradient, decoded);
            JsonLines.write(json, speeds);
            return speeds.stream().allMatch(Speed::reached)
                    ? CommandLine.ExitCode.OK
                    : CommandLine.ExitCode.SOFTWARE;
        }
    }

    private List<Speed> measureAll(MemorySegment gradient, MemorySegment decoded) {
        List<Speed> speeds = new ArrayList<>();
        for (Candidate candidate : Candidate.all(elements)) {
            long bytes = JAVA_FLOAT.scale(0, candidate.elements());
            MemorySegment part = gradient.asSlice(0, bytes);
            print(measure(candidate, part, decoded.asSlice(0, bytes)), speeds);
        }
        print(measurePowerSgd(gradient, decoded), speeds);
        return speeds;
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
        List<Round> rounds = rounds(candidate.codec(), gradient, decoded);
        return Speed.of(
                candidate.name(),
                candidate.elements(),
                speed(gradient, rounds.stream().map(Round::encodingNanos)),
                speed(gradient, rounds.stream().map(Round::decodingNanos)),
                rounds.getLast().frameBytes(),
                candidate.elements() == RESNET_50 ? candidate.wanted() : null);
    }

    private record Round(long encodingNanos, long decodingNanos, long frameBytes) {}

    private static List<Round> rounds(Codec codec, MemorySegment gradient, MemorySegment decoded) {
        int length = (int) (gradient.byteSize() / Float.BYTES);
        List<Round> rounds = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment payload = arena.allocate(codec.largestPayload(length), 64);
            for (int round = 0; round < WARM_UPS + ROUNDS; round++) {
                var random = new CodecRandom(1, 0, round);
                long begun = System.nanoTime();
                Frame frame = codec.encode(gradient, random, payload);
                long encoded = System.nanoTime();
                codec.decode(frame, random, decoded);
                long end = System.nanoTime();
                rounds.add(new Round(encoded - begun, end - encoded, frame.bytes()));
            }
        }
        return rounds;
    }

    /** Measures a whole round; the mean over the ranks is free, as there is only one. */
    private Speed measurePowerSgd(MemorySegment gradient, MemorySegment mean) {
        var powerSgd = new PowerSgd(parts(), RANK, 1);
        List<Long> nanos = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            PowerSgdState state = powerSgd.initialState(arena);
            for (int round = 0; round < WARM_UPS + ROUNDS; round++) {
                long begun = System.nanoTime();
                state = powerSgd.agree(state, gradient, _ -> {}, mean);
                nanos.add(System.nanoTime() - begun);
            }
        }
        double speed = speed(gradient, nanos.stream());
        long bytes = powerSgd.bytes() + 2 * FrameHeader.BYTES;
        return Speed.of("power-sgd rank " + RANK, elements, speed, null, bytes, null);
    }

    /** Divides the gradient into as many convolutions as it has room for, and a rest. */
    private List<GradientPart> parts() {
        int matrices = elements / CONVOLUTION.length();
        List<GradientPart> parts = new ArrayList<>(Collections.nCopies(matrices, CONVOLUTION));
        parts.add(new GradientPart.Plain(elements % CONVOLUTION.length()));
        return parts;
    }

    /**
     * Returns GB/s, which are bytes per nanosecond, by the median of the rounds after the warm-up.
     */
    private static double speed(MemorySegment vector, Stream<Long> nanos) {
        long[] sorted = nanos.skip(WARM_UPS).mapToLong(Long::longValue).sorted().toArray();
        return (double) vector.byteSize() / sorted[sorted.length / 2];
    }

    private void check() {
        Arguments.require(
                spec,
                elements >= 1 && elements <= MAX_ELEMENTS,
                "--elements must be from 1 to %d, but is %d".formatted(MAX_ELEMENTS, elements));
    }
}
