package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs the scripts of the Debian packages with stubs of all programs that they call. The real ones
 * add users to the host and delete folders of it.
 */
class DebianScriptsTest {

    private static final String SERVICE = "app";
    private static final String AGENT = "worker-agent";
    private static final String RELOAD = "systemctl daemon-reload";

    /** Records its call. No user exists, and units are in the state of the test. */
    private static final String STUB =
            """
            #!/bin/sh
            echo "${0##*/} $*" >>"$CALLS"
            case "${0##*/} $*" in
                "$FAILING") exit 1 ;;
                getent*) exit 2 ;;
                "systemctl is-active "*) echo "$STATE" && [ "$STATE" = active ] ;;
            esac
            """;

    @TempDir private Path folder;

    private String state = "inactive";
    private String failing = "";

    @BeforeEach
    void makeStubs() throws IOException {
        Files.createDirectories(folder.resolve("run/systemd/system"));
        Files.createDirectory(folder.resolve("bin"));
        for (String program :
                List.of("getent", "install", "rm", "rmdir", "systemctl", "touch", "useradd")) {
            Path file = folder.resolve("bin").resolve(program);
            Files.writeString(file, STUB);
            assertThat(file.toFile().setExecutable(true)).isTrue();
        }
    }

    private void removeSystemd() throws IOException {
        Files.delete(folder.resolve("run/systemd/system"));
    }

    /** Creates the mark of a unit that prerm has stopped, since the stub of touch creates none. */
    private void markStopped(String unit) throws IOException {
        Files.createFile(folder.resolve("run").resolve(unit + ".upgrade"));
    }

    private TestingCommand.Ended run(String module, String script, String... arguments)
            throws Exception {
        Path scripts = TestingCommand.HOME.resolve(module).resolve("src/main/package/debian");
        return TestingCommand.run(
                Stream.concat(
                                Stream.of("/bin/sh", scripts.resolve(script).toString()),
                                Stream.of(arguments))
                        .toList(),
                Map.of(
                        "PATH",
                        folder.resolve("bin").toString(),
                        "CALLS",
                        folder.resolve("calls").toString(),
                        "EQUIPOISE_RUN",
                        folder.resolve("run").toString(),
                        "STATE",
                        state,
                        "FAILING",
                        failing));
    }

    /** Returns the calls of a script that succeeds. */
    private List<String> calls(String module, String script, String... arguments) throws Exception {
        Path calls = folder.resolve("calls");
        Files.deleteIfExists(calls);

        TestingCommand.Ended ended = run(module, script, arguments);

        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(ended.output()).isEmpty();
        return Files.exists(calls)
                ? Files.readAllLines(calls).stream()
                        .map(it -> it.replace(folder + "/run/", "/run/"))
                        .toList()
                : List.of();
    }

    @Test
    void installationOfTheServiceAddsItsUserAndTheFolderOfItsSecrets() throws Exception {
        assertThat(calls(SERVICE, "postinst", "configure", ""))
                .containsExactly(
                        "getent passwd equipoise-service",
                        "useradd --system --user-group --home-dir /var/lib/equipoise-service"
                                + " --shell /usr/sbin/nologin equipoise-service",
                        "install -d -m 750 -o root -g equipoise-service /etc/equipoise/secrets",
                        RELOAD);
    }

    @Test
    void installationOfTheAgentAddsItsUser() throws Exception {
        assertThat(calls(AGENT, "postinst", "configure", ""))
                .containsExactly(
                        "getent passwd equipoise",
                        "useradd --system --user-group --home-dir /var/lib/equipoise"
                                + " --shell /usr/sbin/nologin equipoise",
                        RELOAD);
    }

    @ParameterizedTest
    @CsvSource({
        "app, equipoise-service, active",
        "app, equipoise-service, activating",
        "worker-agent, equipoise-agent, active",
        "worker-agent, equipoise-agent, activating"
    })
    void upgradeStopsARunningUnitBeforeItsFilesAreReplacedAndStartsItAfterwards(
            String module, String unit, String running) throws Exception {
        state = running;

        assertThat(calls(module, "prerm", "upgrade", "0.2.0"))
                .containsExactly(
                        "systemctl is-active %s.service".formatted(unit),
                        "touch /run/%s.upgrade".formatted(unit),
                        "systemctl stop %s.service".formatted(unit));

        markStopped(unit);
        assertThat(calls(module, "postinst", "configure", "0.1.0"))
                .endsWith(
                        RELOAD,
                        "rm /run/%s.upgrade".formatted(unit),
                        "systemctl start %s.service".formatted(unit));
    }

    @ParameterizedTest
    @CsvSource({"app, equipoise-service", "worker-agent, equipoise-agent"})
    void abortedUpgradeStartsTheUnitInTheInstalledVersion(String module, String unit)
            throws Exception {
        markStopped(unit);

        assertThat(calls(module, "postinst", "abort-upgrade", "0.2.0"))
                .containsExactly(
                        RELOAD,
                        "rm /run/%s.upgrade".formatted(unit),
                        "systemctl start %s.service".formatted(unit));
    }

    @ParameterizedTest
    @CsvSource({"app, equipoise-service", "worker-agent, equipoise-agent"})
    void unitThatDoesNotRunStaysStoppedDuringAnUpgrade(String module, String unit)
            throws Exception {
        assertThat(calls(module, "prerm", "upgrade", "0.2.0"))
                .containsExactly("systemctl is-active %s.service".formatted(unit));
        assertThat(calls(module, "postinst", "configure", "0.1.0"))
                .noneMatch(it -> it.contains(" start "));
    }

    @ParameterizedTest
    @CsvSource({"app, equipoise-service", "worker-agent, equipoise-agent"})
    void unitThatCannotStartLeavesThePackageInstalled(String module, String unit) throws Exception {
        markStopped(unit);
        failing = "systemctl start %s.service".formatted(unit);

        TestingCommand.Ended ended = run(module, "postinst", "configure", "0.1.0");

        assertThat(ended.status()).isZero();
        assertThat(ended.output())
                .isEqualTo("%1$s did not start: see journalctl -u %1$s\n".formatted(unit));
    }

    @ParameterizedTest
    @CsvSource({"app, equipoise-service", "worker-agent, equipoise-agent"})
    void removalStopsTheUnitAndDeletesNoData(String module, String unit) throws Exception {
        assertThat(calls(module, "prerm", "remove"))
                .containsExactly("systemctl disable --now %s.service".formatted(unit));
        assertThat(calls(module, "postrm", "remove")).containsExactly(RELOAD);
    }

    @Test
    void purgeOfTheServiceDeletesItsDataAndSecrets() throws Exception {
        assertThat(calls(SERVICE, "postrm", "purge"))
                .containsExactly(
                        "rm -rf /etc/equipoise/secrets /var/lib/equipoise-service", RELOAD);
    }

    /** The folder may have the data of a service that somebody has started by hand. */
    @Test
    void purgeOfTheAgentDeletesOnlyWhatTheAgentHasMade() throws Exception {
        failing = "rmdir /var/lib/equipoise";

        assertThat(calls(AGENT, "postrm", "purge"))
                .containsExactly(
                        "rm -rf /etc/equipoise/join-token /var/lib/equipoise/equipoise"
                                + " /var/lib/equipoise/.javacpp /var/cache/equipoise",
                        "rmdir /var/lib/equipoise",
                        RELOAD);
    }

    @ParameterizedTest
    @CsvSource({"app", "worker-agent"})
    void hostWithoutSystemdGetsNoCallOfSystemctl(String module) throws Exception {
        removeSystemd();
        state = "active";

        assertThat(calls(module, "prerm", "upgrade", "0.2.0")).isEmpty();
        assertThat(calls(module, "prerm", "remove")).isEmpty();
        assertThat(calls(module, "postrm", "remove")).isEmpty();
        assertThat(calls(module, "postinst", "configure", ""))
                .isNotEmpty()
                .noneMatch(it -> it.startsWith("systemctl"));
    }
}
