package dev.equipoise.benchmarks.api;

import dev.equipoise.benchmarks.BenchFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The memory of the service, as Linux tells it: that of its own process, and that of its database,
 * of which what the processes share is counted once.
 *
 * @param service process
 * @param postmaster the file that begins with the process of the database
 */
record Memory(long service, Path postmaster) {

    private static final double KIB_PER_MEGABYTE = 1e6 / 1024;

    /** What it has at this moment, in megabytes. */
    double resident() {
        return field(Path.of("/proc/%d/status".formatted(service)), "VmRSS:") / KIB_PER_MEGABYTE;
    }

    /** The most that it has had, in megabytes. */
    double mostResident() {
        return field(Path.of("/proc/%d/status".formatted(service)), "VmHWM:") / KIB_PER_MEGABYTE;
    }

    /** What the database has at this moment, in megabytes. */
    double database() {
        return databaseProcesses()
                        .map(pid -> Path.of("/proc/%d/smaps_rollup".formatted(pid)))
                        .filter(Files::exists)
                        .mapToLong(file -> field(file, "Pss:"))
                        .sum()
                / KIB_PER_MEGABYTE;
    }

    /** What is used of the heap at this moment, in megabytes; garbage included. */
    double heap() throws InterruptedException {
        Path tool = Path.of(System.getProperty("java.home"), "bin", "jstat");
        try {
            Process jstat =
                    new ProcessBuilder(tool.toString(), "-gc", Long.toString(service)).start();
            List<String> lines = jstat.inputReader().readAllLines();
            jstat.waitFor();
            return used(lines) / KIB_PER_MEGABYTE;
        } catch (IOException e) {
            throw new BenchFailed("cannot run jstat: " + e.getMessage(), e);
        }
    }

    /** Columns are what is used of survivors, Eden and the old generation, in KiB. */
    static double used(List<String> table) {
        List<String> names = List.of(table.getFirst().strip().split("\\s+"));
        List<String> values = List.of(table.getLast().strip().split("\\s+"));
        return Stream.of("S0U", "S1U", "EU", "OU")
                .map(names::indexOf)
                .map(values::get)
                .filter(value -> !value.equals("-"))
                .mapToDouble(Double::parseDouble)
                .sum();
    }

    private Stream<Long> databaseProcesses() {
        try {
            long pid = Long.parseLong(Files.readAllLines(postmaster).getFirst().strip());
            return ProcessHandle.of(pid).stream()
                    .flatMap(it -> Stream.concat(Stream.of(it), it.children()))
                    .map(ProcessHandle::pid);
        } catch (IOException e) {
            throw new BenchFailed("cannot read %s: %s".formatted(postmaster, e), e);
        }
    }

    /** In KiB; 0 of a process that has just ended. */
    private static long field(Path file, String name) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(name))
                    .flatMapToLong(
                            line -> LongStream.of(Long.parseLong(line.replaceAll("\\D", ""))))
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            throw new BenchFailed("cannot read %s: %s".formatted(file, e), e);
        }
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.0f MB, database %.0f MB", resident(), database());
    }
}
