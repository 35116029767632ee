package dev.equipoise.protocol;

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
}
