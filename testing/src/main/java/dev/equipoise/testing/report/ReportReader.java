package dev.equipoise.testing.report;

import dev.equipoise.testing.report.TestResults.Finding;
import dev.equipoise.testing.report.TestResults.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Reads the XML reports of Maven's Surefire and Failsafe. */
final class ReportReader {

    private static final Map<String, Kind> KINDS =
            Map.of(
                    "failure", Kind.FAILED,
                    "error", Kind.FAILED,
                    "flakyFailure", Kind.FLAKY,
                    "flakyError", Kind.FLAKY,
                    "skipped", Kind.SKIPPED);

    private static final String PREFIX = "TEST-";
    private static final String SUFFIX = ".xml";

    private ReportReader() {}

    /**
     * Reads the results of all modules below a folder.
     *
     * @throws IOException if a report cannot be read
     */
    static List<TestResults> read(Path home) throws IOException {
        List<TestResults> results = new ArrayList<>();
        for (Path file : reports(home)) {
            results.add(readClass(home, file));
        }
        return results;
    }

    private static List<Path> reports(Path home) throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> modules = Files.list(home)) {
            for (Path module : modules.sorted().toList()) {
                for (String folder : List.of("surefire-reports", "failsafe-reports")) {
                    Path reports = module.resolve("target").resolve(folder);
                    if (Files.isDirectory(reports)) {
                        try (Stream<Path> all = Files.list(reports)) {
                            all.filter(ReportReader::isReport).sorted().forEach(files::add);
                        }
                    }
                }
            }
        }
        return files;
    }

    private static boolean isReport(Path file) {
        String name = file.getFileName().toString();
        return name.startsWith(PREFIX) && name.endsWith(SUFFIX);
    }

    private static TestResults readClass(Path home, Path file) throws IOException {
        Element suite = parse(file);
        List<Finding> findings = new ArrayList<>();
        elements(suite.getElementsByTagName("testcase"))
                .forEach(test -> findingOf(test).ifPresent(findings::add));
        return new TestResults(
                home.relativize(file).getName(0).toString(),
                nameOf(file),
                Double.parseDouble(suite.getAttribute("time").replace(",", "")),
                Integer.parseInt(suite.getAttribute("tests")),
                findings);
    }

    /** Returns the class; a class that runs twice has a suffix, as its files have. */
    private static String nameOf(Path report) {
        String file = report.getFileName().toString();
        return file.substring(PREFIX.length(), file.length() - SUFFIX.length());
    }

    /**
     * Returns the finding of a test. A retried test that failed in the end has elements of both
     * kinds.
     */
    private static Optional<Finding> findingOf(Element test) {
        return elements(test.getChildNodes())
                .flatMap(it ->
                        Optional.ofNullable(KINDS.get(it.getTagName()))
                                .map(kind ->
                                        new Finding(kind, test.getAttribute("name"), reason(it)))
                                .stream())
                .min(Comparator.comparing(Finding::kind));
    }

    /** Joins the lines of the message: an assertion has its values below the first line. */
    private static String reason(Element element) {
        String message = element.getAttribute("message");
        Stream<String> lines =
                message.isBlank()
                        ? element.getTextContent().strip().lines().limit(1)
                        : message.lines();
        String reason =
                lines.map(String::strip)
                        .filter(line -> !line.isEmpty())
                        .collect(Collectors.joining(" "));
        return reason.isEmpty() ? "no reason given" : reason;
    }

    private static Stream<Element> elements(NodeList nodes) {
        return IntStream.range(0, nodes.getLength())
                .mapToObj(nodes::item)
                .filter(Element.class::isInstance)
                .map(Element.class::cast);
    }

    private static Element parse(Path file) throws IOException {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            return factory.newDocumentBuilder().parse(file.toFile()).getDocumentElement();
        } catch (SAXException | ParserConfigurationException failure) {
            throw new IOException(
                    "%s is no valid test report: delete it and rerun the tests".formatted(file),
                    failure);
        }
    }
}
