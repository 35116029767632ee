package dev.equipoise.launcher;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the systemd units of the packages, without starting them. */
class UnitFilesTest {

    private static final String SERVICE = "app/src/main/package/systemd/equipoise-service.service";
    private static final String AGENT =
            "worker-agent/src/main/package/systemd/equipoise-agent.service";

    private static final String ANALYZE = "systemd-analyze";
    private static final String WARNINGS_FAIL = "--recursive-errors=no";

    /** Settings that take rights and views of the host from a unit. */
    private static final Pattern HARDENING =
            Pattern.compile(
                    "(?:NoNewPrivileges|Capability|Protect|Private|Restrict|Lock|SystemCall).*");

    private static String text(String unit) {
        return TestingTree.text(TestingCommand.HOME.resolve(unit));
    }

    private static Set<String> hardening(String unit) {
        return text(unit)
                .lines()
                .filter(it -> HARDENING.matcher(it).matches())
                .collect(toCollection(TreeSet::new));
    }

    /** The check needs a program that exists on this host. */
    @ParameterizedTest
    @ValueSource(strings = {SERVICE, AGENT})
    void systemdAcceptsTheUnit(String unit, @TempDir Path folder) throws Exception {
        assumeTrue(
                TestingTool.succeeds(ANALYZE, WARNINGS_FAIL, "--version"),
                "there is no systemd-analyze of systemd 250 or newer");
        Path copy = folder.resolve(Path.of(unit).getFileName());
        Files.writeString(copy, text(unit).replaceFirst("\nExecStart=\\S+", "\nExecStart=/bin/sh"));

        TestingTool.run(ANALYZE, WARNINGS_FAIL, "--man=no", "verify", copy.toString());
    }

    @Test
    void serviceIsHardenedLikeTheAgent() {
        assertThat(hardening(AGENT)).hasSizeGreaterThan(10);
        assertThat(hardening(SERVICE)).isEqualTo(hardening(AGENT));
    }

    /** The agent listens to other hosts, and must not read the database of a service beside it. */
    @Test
    void unitsHaveUsersAndFoldersOfTheirOwn() {
        assertThat(text(SERVICE))
                .contains("\nUser=equipoise-service\n", "\nStateDirectoryMode=0700\n");
        assertThat(text(AGENT)).contains("\nUser=equipoise\n", "\nStateDirectory=equipoise\n");
    }

    /** A signal to all processes would stop PostgreSQL before the service has finished. */
    @Test
    void serviceAloneGetsTheSignalOfAStop() {
        assertThat(text(SERVICE))
                .contains("\nKillMode=mixed\n", "\nEnvironment=EQUIPOISE_RESTARTS=0\n");
    }
}
