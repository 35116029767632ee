package dev.equipoise.agent.lifecycle;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Widest vector instructions of the first processor, for backends that do not name theirs. */
final class InstructionSet {

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
        return of(CpuInfo.lines());
    }

    /**
     * Returns the name of the widest instructions; empty if none of them is known.
     *
     * @param lines of {@link CpuInfo}
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
