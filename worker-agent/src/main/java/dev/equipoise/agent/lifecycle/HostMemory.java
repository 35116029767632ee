package dev.equipoise.agent.lifecycle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Memory of this host, as Linux reports it. */
final class HostMemory {

    private static final Path FILE = Path.of("/proc/meminfo");
    private static final Pattern LINE = Pattern.compile("(?<name>\\w+):\\s+(?<size>\\d{1,15}) kB");
    private static final long UNIT = 1024;

    private HostMemory() {}

    /** Reads the memory that all programs use, in bytes; null on other systems. */
    static @Nullable Long used() {
        try (Stream<String> lines = Files.lines(FILE, StandardCharsets.ISO_8859_1)) {
            return used(lines.toList());
        } catch (IOException | UncheckedIOException e) {
            return null;
        }
    }

    /**
     * Returns the total memory without the available memory: programs can get the pages of caches.
     *
     * @param lines of {@code /proc/meminfo}
     * @return null if the lines lack one of both
     */
    static @Nullable Long used(List<String> lines) {
        Map<String, Long> sizes = new HashMap<>();
        for (String line : lines) {
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches()) {
                sizes.put(matcher.group("name"), Long.parseLong(matcher.group("size")) * UNIT);
            }
        }
        Long total = sizes.get("MemTotal");
        Long available = sizes.get("MemAvailable");
        return total == null || available == null ? null : Math.max(0, total - available);
    }
}
