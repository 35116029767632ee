package dev.equipoise.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Host of an agent, as the agent sees it.
 *
 * @param name name of the host
 * @param processors logical processors that the agent may use
 * @param threads compute threads of the agent
 * @param memoryBytes physical memory
 * @param system operating system and architecture
 * @param backend numeric library, for example {@code oneDNN 3.11.0}
 * @param slowDown factor, at least 1, by which the agent stretches its computing time
 * @param processor model of the processor; null if unknown
 * @param instructionSet instruction set that the numeric library uses, as {@code
 *     ONEDNN_MAX_CPU_ISA} names it, for example {@code AVX512_CORE}; null if unknown
 */
public record HostDescription(
        String name,
        int processors,
        int threads,
        long memoryBytes,
        String system,
        String backend,
        double slowDown,
        @Nullable String processor,
        @Nullable String instructionSet) {

    /** Longest text, in characters. */
    public static final int MAX_TEXT = 300;

    /** The part of the memory that another kernel may reserve on the same machine. */
    private static final double MEMORY_TOLERANCE = 1.0 / 16;

    private static final double MEBIBYTE = 1 << 20;

    /** Creates a description without a processor. */
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

    /** Creates a description without an instruction set. */
    public HostDescription(
            String name,
            int processors,
            int threads,
            long memoryBytes,
            String system,
            String backend,
            double slowDown,
            @Nullable String processor) {
        this(name, processors, threads, memoryBytes, system, backend, slowDown, processor, null);
    }

    public HostDescription {
        Rules.text("name", name, MAX_TEXT);
        Rules.text("system", system, MAX_TEXT);
        Rules.text("backend", backend, MAX_TEXT);
        Rules.atLeast("memoryBytes", memoryBytes, 0);
        Rules.atLeast("processors", processors, 1);
        Rules.atLeast("threads", threads, 1);
        Rules.atLeast("slowDown", slowDown, 1.0);
        requireText("processor", processor);
        requireText("instructionSet", instructionSet);
    }

    private static void requireText(String name, @Nullable String value) {
        if (value != null) {
            Rules.text(name, value, MAX_TEXT);
        }
    }

    /**
     * Returns what decides on the bits of its results: the model of the processor and the
     * instruction set, as far as known; null if neither is.
     */
    public @Nullable String arithmetic() {
        if (processor == null || instructionSet == null) {
            return processor == null ? instructionSet : processor;
        }
        return processor + ", " + instructionSet;
    }

    /**
     * Returns the differences of a later description that make measured times invalid, in words;
     * empty if there are none. An unknown processor model or instruction set equals any other, and
     * memory within 1/16 counts as equal.
     */
    public List<String> changes(HostDescription later) {
        List<String> changes = new ArrayList<>();
        compareKnown("processor", processor, later.processor, changes);
        compareKnown("instruction set", instructionSet, later.instructionSet, changes);
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

    private static void compareKnown(
            String what, @Nullable String before, @Nullable String now, List<String> changes) {
        if (before != null && now != null) {
            compare(what, before, now, changes);
        }
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
