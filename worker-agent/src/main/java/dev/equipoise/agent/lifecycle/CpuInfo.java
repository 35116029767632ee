package dev.equipoise.agent.lifecycle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Description of the processors of this host by Linux. */
final class CpuInfo {

    private static final Path FILE = Path.of("/proc/cpuinfo");

    private CpuInfo() {}

    /** Reads its lines; there are none on other systems. */
    static List<String> lines() {
        try (Stream<String> lines = Files.lines(FILE, StandardCharsets.ISO_8859_1)) {
            return lines.toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }
}
