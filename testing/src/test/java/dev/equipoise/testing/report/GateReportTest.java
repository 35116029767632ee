package dev.equipoise.testing.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GateReportTest {

    @TempDir private Path home;

    private void report(String module, String name, String seconds, String tests)
            throws IOException {
        write(
                "%s/target/failsafe-reports/TEST-dev.x.%s.xml".formatted(module, name),
                """
                <testsuite name="dev.x.%s" time="%s" tests="3">%s</testsuite>
                """
                        .formatted(name, seconds, tests));
    }

    private void write(String file, String text) throws IOException {
        Path path = home.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private List<String> printed() throws IOException {
        var bytes = new ByteArrayOutputStream();
        new GateReport(home).print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void slowestClassesComeFirst() throws IOException {
        report("app", "QuickIT", "0.5", "");
        report("agent", "SlowIT", "1,234.5", "");

        assertThat(printed())
                .containsSubsequence(
                        "  1234.5 s      3 tests  agent/SlowIT",
                        "     0.5 s      3 tests  app/QuickIT");
    }

    @Test
    void failedTestGetsALineAndKeepsItsReportAndLogs() throws IOException {
        report(
                "app",
                "BrokenIT",
                "1",
                """
                <testcase name="breaks"><failure message="expected 1&#10;but was 2"/></testcase>
                """);
        write("app/target/folders/BrokenIT-17/logs/service.log", "lines of the service");

        assertThat(printed())
                .contains("  FAILED app: BrokenIT.breaks: expected 1 but was 2")
                .contains("Tests: 3 in 1 classes, 1 failed, 0 skipped.");
        assertThat(home.resolve("target/failures/app"))
                .isDirectoryRecursivelyContaining("glob:**/TEST-dev.x.BrokenIT.xml")
                .isDirectoryRecursivelyContaining("glob:**/folders/BrokenIT-17/logs/service.log");
    }

    @Test
    void classThatRunsTwiceKeepsTheReportOfEachRun() throws IOException {
        write(
                "agent/target/surefire-reports/TEST-dev.x.CodecTest-allocation.xml",
                """
                <testsuite name="dev.x.CodecTest(allocation)" time="1" tests="1">
                  <testcase name="allocates"><failure message="1 MB"/></testcase>
                </testsuite>
                """);

        assertThat(printed()).contains("  FAILED agent: CodecTest-allocation.allocates: 1 MB");
        assertThat(home.resolve("target/failures/agent"))
                .isDirectoryRecursivelyContaining("glob:**/TEST-dev.x.CodecTest-allocation.xml");
    }

    @Test
    void flakyTestsComeLast() throws IOException {
        report(
                "launcher",
                "RunIT",
                "1",
                """
                <testcase name="runs"><flakyError message="connection reset"/></testcase>
                """);
        write("target/flaky.txt", "FLAKY browser: run.spec.ts:9 a run is watched\n");

        assertThat(printed())
                .endsWith(
                        "FLAKY launcher: RunIT.runs: connection reset",
                        "FLAKY browser: run.spec.ts:9 a run is watched");
    }

    /** Surefire records each attempt of a test that always fails. */
    @Test
    void testThatFailsInEveryAttemptIsFailedAndNotFlaky() throws IOException {
        report(
                "launcher",
                "RunIT",
                "1",
                """
                <testcase name="runs"><failure message="first"/><rerunFailure message="again"/></testcase>
                """);

        assertThat(printed())
                .contains("  FAILED launcher: RunIT.runs: first")
                .noneMatch(line -> line.startsWith("FLAKY"));
    }

    @Test
    void testsSkippedForOneReasonShareALine() throws IOException {
        report(
                "agent",
                "DataIT",
                "1",
                """
                <testcase name="a"><skipped message="no network"/></testcase>
                <testcase name="b"><skipped message="no network"/></testcase>
                """);
        write("target/left-out.txt", "dashboard in a browser: there is no Chromium\n");

        assertThat(printed())
                .containsSubsequence(
                        "Skipped:",
                        "  agent/DataIT: no network",
                        "  dashboard in a browser: there is no Chromium");
    }

    @Test
    void eachPartThatRunsInContainersGetsALine() throws IOException {
        write("target/left-out.txt", "dashboard in a browser: there is no Chromium\n");
        write(
                "target/containers.txt",
                """
                database: tested: 8 classes on PostgreSQL 18.6
                lab: not tested in containers: its tests or a step before them failed
                """);
        write("target/failures/summary.txt", "FAILED containers\n");

        assertThat(printed())
                .containsSubsequence(
                        "Skipped:",
                        "Containers:",
                        "  database: tested: 8 classes on PostgreSQL 18.6",
                        "  lab: not tested in containers: its tests or a step before them failed",
                        "Failed (reports and logs are in target/failures):",
                        "  FAILED containers");
    }

    @Test
    void reportOfAPartOfTheGateIsSilentOnContainers() throws IOException {
        report("app", "QuickIT", "0.5", "");

        assertThat(printed()).noneMatch(line -> line.startsWith("Containers"));
    }

    @Test
    void malformedReportIsNamed() throws IOException {
        write("app/target/surefire-reports/TEST-dev.x.A.xml", "<testsuite");

        assertThatThrownBy(() -> new GateReport(home))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("TEST-dev.x.A.xml is no valid test report");
    }
}
