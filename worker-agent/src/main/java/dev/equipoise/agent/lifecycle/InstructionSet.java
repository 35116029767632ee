package dev.equipoise.agent.lifecycle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Widest vector instructions of the first processor, for backends that do not name theirs. */
final class InstructionSet {

    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

    /** Flags of Linux, the widest instructions first, and oneDNN's names. */
    private static final List<Map.Entry<String, String>> NAMES =
            List.of(
                    Map.entry("avx512bw", "AVX512_CORE"),
                    Map.entry("avx2", "AVX2"),
                    Map.entry("avx", "AVX"),
                    Map.entry("sse4_1", "SSE41"),
                    Map.entry("sve", "SVE"),
                    Map.entry("asimd", "ASIMD"));

    private InstructionSet() {}

    /** Reads it from Linux; empty on other systems. */
    static Optional<String> read() {
        try (Stream<String> lines = Files.lines(PROCESSORS, StandardCharsets.ISO_8859_1)) {
            return of(lines.toList());
        } catch (IOException | UncheckedIOException e) {
            // Only Linux has this file.
            return Optional.empty();
        }
    }

    /**
     * Returns the name of the widest instructions; empty if none of them is known.
     *
     * @param lines of /proc/cpuinfo
     */
    static Optional<String> of(List<String> lines) {
        Set<String> flags =
                lines.stream()
                        .filter(it -> it.startsWith("flags") || it.startsWith("Features"))
                        .findFirst()
                        .map(it -> Set.copyOf(List.of(it.split("\\s+"))))
                        .orElse(Set.of());
        return NAMES.stream()
                .filter(it -> flags.contains(it.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }
}
