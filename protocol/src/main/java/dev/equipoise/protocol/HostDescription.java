package dev.equipoise.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Host of an agent, as the agent sees it.
 *
 * @param name of the host
 * @param processors logical processors that the agent may use
 * @param threads compute threads of the agent
 * @param memoryBytes physical memory
 * @param system operating system and architecture
 * @param backend numeric library, for example {@code oneDNN 3.11.0}
 * @param slowDown factor, at least 1, by which the agent stretches its computing time
 * @param processor model of the processor; null if unknown
 */
public record HostDescription(
        String name,
        int processors,
        int threads,
        long memoryBytes,
        String system,
        String backend,
        double slowDown,
        @Nullable String processor) {

    static final int MAX_TEXT = 300;

    /** The part of the memory that another kernel may reserve on the same machine. */
    private static final double MEMORY_TOLERANCE = 1.0 / 16;

    private static final double MEBIBYTE = 1 << 20;

    public HostDescription {
        Rules.text("name", name, MAX_TEXT);
        Rules.text("system", system, MAX_TEXT);
        Rules.text("backend", backend, MAX_TEXT);
        Rules.atLeast("memoryBytes", memoryBytes, 0);
        Rules.atLeast("processors", processors, 1);
        Rules.atLeast("threads", threads, 1);
        Rules.atLeast("slowDown", slowDown, 1.0);
        if (processor != null) {
            Rules.text("processor", processor, MAX_TEXT);
        }
    }

    /** Creates a description without a processor model. */
    public HostDescription(
            String name,
            int processors,
            int threads,
            long memoryBytes,
            String system,
            String backend,
            double slowDown) {
        this(name, processors, threads, memoryBytes, system, backend, slowDown, null);
    }

    /**
     * Returns the differences of a later description that make measured times invalid, in words;
     * empty if there are none. An unknown processor model equals any other, and memory within 1/16
     * counts as equal.
     */
    public List<String> changes(HostDescription later) {
        List<String> changes = new ArrayList<>();
        if (processor != null && later.processor != null) {
            compare("processor", processor, later.processor, changes);
        }
        compare("processors", processors, later.processors, changes);
        compare("threads", threads, later.threads, changes);
        if (Math.abs(later.memoryBytes - memoryBytes) > MEMORY_TOLERANCE * memoryBytes) {
            compare("memory", mebibytes(memoryBytes), mebibytes(later.memoryBytes), changes);
        }
        compare("system", system, later.system, changes);
        compare("backend", backend, later.backend, changes);
        compare("slowdown", slowDown, later.slowDown, changes);
        return List.copyOf(changes);
    }

    private static void compare(String what, Object before, Object now, List<String> changes) {
        if (!Objects.equals(before, now)) {
            changes.add("%s %s, now %s".formatted(what, before, now));
        }
    }

    private static String mebibytes(long bytes) {
        return "%d MiB".formatted(Math.round(bytes / MEBIBYTE));
    }
}
