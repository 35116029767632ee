package dev.equipoise.testing.report;

import dev.equipoise.testing.report.TestResults.Finding;
import dev.equipoise.testing.report.TestResults.Kind;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Summary at the end of {@code ./equipoise test}: a table of the slowest classes, the skipped tests
 * with their reasons, the tests in containers, and one line for each failed and each flaky test. It
 * copies the reports and logs of failed tests to {@code target/failures}.
 */
public final class GateReport {

    private static final int SLOWEST = 20;
    private static final int MAX_REASON_LENGTH = 200;
    private static final long MAX_KEPT_BYTES = 4 << 20;

    private final Path home;
    private final List<TestResults> results;

    /**
     * Reads all reports of a checkout.
     *
     * @throws IOException if one cannot be read
     */
    GateReport(Path home) throws IOException {
        this.home = home;
        this.results = ReportReader.read(home);
    }

    /**
     * Prints the report of a checkout.
     *
     * @param arguments the folder of the checkout
     */
    public static void main(String[] arguments) throws IOException {
        new GateReport(Path.of(arguments[0]).toAbsolutePath()).print(System.out);
    }

    void print(PrintStream out) throws IOException {
        printSlowest(out);
        printLines(out, "Skipped:", skipped());
        printLines(out, "Containers:", linesOf("target/containers.txt"));
        keepFailures();
        printLines(out, "Failed (reports and logs are in target/failures):", failed());
        printTotal(out);
        flaky().forEach(out::println);
    }

    private void printSlowest(PrintStream out) {
        out.println("Slowest test classes:");
        results.stream()
                .sorted(Comparator.comparingDouble(TestResults::seconds).reversed())
                .limit(SLOWEST)
                .forEach(it ->
                        out.printf(
                                Locale.ROOT,
                                "%8.1f s %6d tests  %s/%s%n",
                                it.seconds(),
                                it.tests(),
                                it.module(),
                                it.simpleName()));
    }

    private static void printLines(PrintStream out, String title, List<String> lines) {
        if (!lines.isEmpty()) {
            out.println(title);
            lines.forEach(line -> out.println("  " + line));
        }
    }

    /** One line per class and reason, as one missing tool may skip many tests. */
    private List<String> skipped() throws IOException {
        Stream<String> reported =
                results.stream()
                        .flatMap(it ->
                                it.findings(Kind.SKIPPED)
                                        .map(test ->
                                                "%s/%s: %s"
                                                        .formatted(
                                                                it.module(),
                                                                it.simpleName(),
                                                                shortened(test.reason()))))
                        .distinct();
        return Stream.concat(reported, linesOf("target/left-out.txt").stream()).toList();
    }

    private List<String> failed() throws IOException {
        return Stream.concat(
                        lines(Kind.FAILED).stream(),
                        linesOf("target/failures/summary.txt").stream())
                .toList();
    }

    private List<String> flaky() throws IOException {
        return Stream.concat(lines(Kind.FLAKY).stream(), linesOf("target/flaky.txt").stream())
                .toList();
    }

    private List<String> lines(Kind kind) {
        return results.stream()
                .flatMap(it -> it.findings(kind).map(test -> line(it, test)))
                .toList();
    }

    private static String line(TestResults results, Finding test) {
        return "%s %s: %s.%s: %s"
                .formatted(
                        test.kind(),
                        results.module(),
                        results.simpleName(),
                        test.test(),
                        shortened(test.reason()));
    }

    private void printTotal(PrintStream out) {
        int tests = results.stream().mapToInt(TestResults::tests).sum();
        out.printf(
                "Tests: %d in %d classes, %d failed, %d skipped.%n",
                tests, results.size(), count(Kind.FAILED), count(Kind.SKIPPED));
    }

    private long count(Kind kind) {
        return results.stream().mapToLong(it -> it.findings(kind).count()).sum();
    }

    private static String shortened(String reason) {
        return reason.length() <= MAX_REASON_LENGTH
                ? reason
                : reason.substring(0, MAX_REASON_LENGTH) + " ...";
    }

    /** Lines that other steps of the gate wrote to a file. */
    private List<String> linesOf(String file) throws IOException {
        Path path = home.resolve(file);
        return Files.exists(path) ? Files.readAllLines(path) : List.of();
    }

    private void keepFailures() throws IOException {
        Set<String> modules = new TreeSet<>();
        for (TestResults it : results) {
            if (it.findings(Kind.FAILED).findAny().isPresent()
                    || it.findings(Kind.FLAKY).findAny().isPresent()) {
                keep(it.module(), "surefire-reports", file -> file.contains(it.name() + "."));
                keep(it.module(), "failsafe-reports", file -> file.contains(it.name() + "."));
                modules.add(it.module());
            }
        }
        for (String module : modules) {
            // JUnit deletes the folders of passed tests, except those of labs that classes share.
            keep(module, "folders", file -> file.endsWith(".log"));
        }
    }

    private void keep(String module, String folder, Predicate<String> isKept) throws IOException {
        Path target = home.resolve(module).resolve("target");
        Path kept = home.resolve("target/failures").resolve(module);
        for (Path file : files(target.resolve(folder), isKept)) {
            Path copy = kept.resolve(target.relativize(file));
            Files.createDirectories(copy.getParent());
            Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static List<Path> files(Path folder, Predicate<String> isKept) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> isKept.test(file.toString()))
                    .filter(Files::isRegularFile)
                    .filter(file -> file.toFile().length() <= MAX_KEPT_BYTES)
                    .toList();
        }
    }
}
