package dev.equipoise.protocol;

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
 */
public record HostDescription(
        String name,
        int processors,
        int threads,
        long memoryBytes,
        String system,
        String backend,
        double slowDown) {

    static final int MAX_TEXT = 300;

    public HostDescription {
        Rules.text("name", name, MAX_TEXT);
        Rules.text("system", system, MAX_TEXT);
        Rules.text("backend", backend, MAX_TEXT);
        Rules.atLeast("memoryBytes", memoryBytes, 0);
        Rules.atLeast("processors", processors, 1);
        Rules.atLeast("threads", threads, 1);
        Rules.atLeast("slowDown", slowDown, 1.0);
    }
}
