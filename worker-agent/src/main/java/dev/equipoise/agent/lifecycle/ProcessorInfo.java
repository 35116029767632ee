package dev.equipoise.agent.lifecycle;

import dev.equipoise.protocol.DisplayText;
import dev.equipoise.protocol.HostDescription;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * First processor of this host, as the operating system describes it.
 *
 * @param model null if unknown
 * @param instructionSet widest vector instructions, by oneDNN's names; null if unknown
 */
record ProcessorInfo(@Nullable String model, @Nullable String instructionSet) {

    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

    /** Most lines of one processor that are read. */
    private static final int MAX_LINES = 200;

    /** Flags of Linux, the widest instructions first, and oneDNN's names. */
    private static final List<Map.Entry<String, String>> NAMES =
            List.of(
                    Map.entry("avx512bw", "AVX512_CORE"),
                    Map.entry("avx2", "AVX2"),
                    Map.entry("avx", "AVX"),
                    Map.entry("sse4_1", "SSE41"),
                    Map.entry("sve", "SVE"),
                    Map.entry("asimd", "ASIMD"));

    /** Reads the description of Linux; all is unknown on other systems. */
    static ProcessorInfo read() {
        try (Stream<String> lines = Files.lines(CPU_INFO, StandardCharsets.ISO_8859_1)) {
            return of(lines.limit(MAX_LINES).toList());
        } catch (IOException | UncheckedIOException e) {
            return new ProcessorInfo(null, null);
        }
    }

    /** Reads the lines of {@code /proc/cpuinfo} up to the end of the first processor. */
    static ProcessorInfo of(List<String> lines) {
        Map<String, String> fields =
                lines.stream()
                        .takeWhile(it -> !it.isBlank())
                        .map(it -> it.split(":", 2))
                        .filter(it -> it.length == 2)
                        .collect(
                                Collectors.toMap(
                                        it -> it[0].strip(),
                                        it -> it[1].strip(),
                                        (first, _) -> first));
        String flags = fields.getOrDefault("flags", fields.getOrDefault("Features", ""));
        return new ProcessorInfo(
                text(fields.getOrDefault("model name", "")), instructionSet(flags));
    }

    private static @Nullable String text(String value) {
        String clean = DisplayText.clean(value);
        return clean.isBlank()
                ? null
                : clean.substring(0, Math.min(clean.length(), HostDescription.MAX_TEXT));
    }

    private static @Nullable String instructionSet(String flags) {
        Set<String> present = Set.copyOf(List.of(flags.split("\\s+")));
        return NAMES.stream()
                .filter(it -> present.contains(it.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }
}
