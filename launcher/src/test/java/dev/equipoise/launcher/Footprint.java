package dev.equipoise.launcher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The resources that a program uses.
 *
 * @param heap live objects, in MiB, after a full collection; 0 for a program without a heap
 * @param resident resident memory, in MiB; memory shared by processes counts for each
 * @param threads number of threads or processes
 * @param files number of open files, including sockets and pipes
 * @param disk data on disk, in MiB; 0 for a program without data
 */
record Footprint(double heap, double resident, double threads, double files, double disk) {

    private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB$");
    private static final Pattern THREADS = Pattern.compile("(?m)^Threads:\\s+(\\d+)$");
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)$");
    private static final double MEBI = 1 << 20;

    static Footprint ofJava(ProcessHandle process) throws IOException {
        double heap = heap(process);
        Footprint of = of(process);
        return new Footprint(heap, of.resident, of.threads, of.files, 0);
    }

    static Footprint ofDatabase(List<ProcessHandle> processes, Path folder) throws IOException {
        double resident = 0;
        double files = 0;
        for (ProcessHandle process : processes) {
            try {
                Footprint of = of(process);
                resident += of.resident;
                files += of.files;
            } catch (NoSuchFileException ended) {
                // The process has ended, such as a database worker that cleaned up.
            }
        }
        return new Footprint(0, resident, processes.size(), files, size(folder.resolve("base")));
    }

    private static Footprint of(ProcessHandle process) throws IOException {
        Path about = Path.of("/proc", Long.toString(process.pid()));
        String status = Files.readString(about.resolve("status"));
        try (Stream<Path> files = Files.list(about.resolve("fd"))) {
            return new Footprint(
                    0, number(RESIDENT, status) / 1024, number(THREADS, status), files.count(), 0);
        }
    }

    /** Measures live objects: the class histogram runs a full collection first. */
    private static double heap(ProcessHandle process) throws IOException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process histogram =
                new ProcessBuilder(
                                jcmd.toString(), Long.toString(process.pid()), "GC.class_histogram")
                        .redirectErrorStream(true)
                        .start();
        String output =
                new String(histogram.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return number(TOTAL, output) / MEBI;
    }

    private static double number(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new AssertionError("there is no %s in: %s".formatted(pattern, text));
        }
        return Double.parseDouble(matcher.group(1));
    }

    /**
     * Measures a folder. Files of a database come and go; those that have vanished count nothing.
     */
    private static double size(Path folder) throws IOException {
        var bytes = new LongAdder();
        Files.walkFileTree(
                folder,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        bytes.add(attributes.size());
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException failure)
                            throws IOException {
                        if (failure instanceof NoSuchFileException) {
                            return FileVisitResult.CONTINUE;
                        }
                        throw failure;
                    }
                });
        return bytes.sum() / MEBI;
    }

    /** Returns the median of each figure. */
    static Footprint median(List<Footprint> of) {
        return new Footprint(
                median(of, Footprint::heap),
                median(of, Footprint::resident),
                median(of, Footprint::threads),
                median(of, Footprint::files),
                median(of, Footprint::disk));
    }

    private static double median(List<Footprint> of, ToDoubleFunction<Footprint> figure) {
        double[] sorted = of.stream().mapToDouble(figure).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%.1f | %.0f | %.0f | %.0f | %.1f",
                heap,
                resident,
                threads,
                files,
                disk);
    }
}
