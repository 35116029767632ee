package dev.equipoise.launcher;

import static java.util.Comparator.comparingDouble;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Assigns a core of this machine to each worker. Without pinning, the operating system moves
 * workers that sleep often from core to core, and lets two wait for one core while another is idle.
 */
final class CorePinning {

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String ALLOWED = "Cpus_allowed_list:";

    private CorePinning() {}

    /**
     * Spreads the workers over the cores, heaviest first and each to the core with the least load.
     * A single worker gets none, because it may compute for many ranks on all cores.
     *
     * @param cores core numbers; if there are none, no worker gets one
     */
    static Map<LocalWorker, Integer> spread(List<LocalWorker> workers, List<Integer> cores) {
        if (workers.size() == 1) {
            return Map.of();
        }
        Map<Integer, Double> loads = new HashMap<>();
        Map<LocalWorker, Integer> placed = new HashMap<>();
        workers.stream()
                .sorted(comparingDouble(LocalWorker::load).reversed())
                .forEach(worker ->
                        cores.stream()
                                .min(comparingDouble(core -> loads.getOrDefault(core, 0.0)))
                                .ifPresent(core -> {
                                    loads.merge(core, worker.load(), Double::sum);
                                    placed.put(worker, core);
                                }));
        return placed;
    }

    /**
     * Returns the cores that this process may use, ascending; empty if the system does not tell.
     */
    static List<Integer> allowed() {
        try (Stream<String> lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith(ALLOWED))
                    .flatMap(line -> numbers(line.substring(ALLOWED.length())).stream())
                    .toList();
        } catch (IOException notLinux) {
            return List.of();
        }
    }

    /** Parses a list of numbers such as {@code 0-3,8}. */
    static List<Integer> numbers(String list) {
        List<Integer> numbers = new ArrayList<>();
        for (String range : list.strip().split(",", -1)) {
            String[] ends = range.split("-", 2);
            int first = Integer.parseInt(ends[0]);
            int last = Integer.parseInt(ends[ends.length - 1]);
            IntStream.rangeClosed(first, last).forEach(numbers::add);
        }
        return numbers;
    }
}
