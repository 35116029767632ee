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
 * Memory of the service and of its database, as Linux reports it. Memory shared by the processes of
 * the database counts once.
 *
 * @param service process id
 * @param postmaster file whose first line is the process id of the database
 */
record Memory(long service, Path postmaster) {

    private static final double KIB_PER_MEGABYTE = 1e6 / 1024;

    /** Returns the current memory of the service, in megabytes. */
    double resident() {
        return field(Path.of("/proc/%d/status".formatted(service)), "VmRSS:") / KIB_PER_MEGABYTE;
    }

    /** Returns the peak memory of the service, in megabytes. */
    double mostResident() {
        return field(Path.of("/proc/%d/status".formatted(service)), "VmHWM:") / KIB_PER_MEGABYTE;
    }

    /** Returns the current memory of the database, in megabytes. */
    double database() {
        return databaseProcesses()
                        .map(pid -> Path.of("/proc/%d/smaps_rollup".formatted(pid)))
                        .filter(Files::exists)
                        .mapToLong(file -> field(file, "Pss:"))
                        .sum()
                / KIB_PER_MEGABYTE;
    }

    /** Returns the current use of the heap with garbage, in megabytes. */
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

    /** Returns the used KiB of the survivor spaces, Eden and the old generation. */
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

    /** Returns a field in KiB; 0 for a process that has just ended. */
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
