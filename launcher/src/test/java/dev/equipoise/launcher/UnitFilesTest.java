package dev.equipoise.launcher;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the systemd units of the packages, without starting them. */
class UnitFilesTest {

    private static final String SERVICE = "app/src/main/package/systemd/equipoise-service.service";
    private static final String AGENT =
            "worker-agent/src/main/package/systemd/equipoise-agent.service";
    private static final String SERVICE_SETTINGS = "app/src/main/package/debian/service.env";
    private static final String AGENT_SETTINGS = "worker-agent/src/main/package/debian/agent.env";

    private static final String ANALYZE = "systemd-analyze";
    private static final String WARNINGS_FAIL = "--recursive-errors=no";

    /** Settings that take rights and views of the host from a unit. */
    private static final Pattern HARDENING =
            Pattern.compile(
                    "(?:NoNewPrivileges|Capability|Protect|Private|Restrict|Lock|SystemCall).*");

    /** A variable of a settings file, also of a line that is commented out. */
    private static final Pattern VARIABLE = Pattern.compile("(?m)^#?([A-Z][A-Z0-9_]*)=");

    /** A setting or a variable, as pages name it. */
    private static final Pattern SETTING = Pattern.compile("`([a-z][a-z0-9.-]*|[A-Z][A-Z_]*)`");

    private static final Pattern PROPERTIES = Pattern.compile("```properties\n([^`]+)```");

    private static String text(String file) {
        return TestingTree.text(TestingCommand.HOME.resolve(file));
    }

    /** Returns the environment that a unit sets. */
    private static Map<String, String> environment(String unit) {
        return text(unit)
                .lines()
                .filter(it -> it.startsWith("Environment="))
                .flatMap(it -> Stream.of(it.substring("Environment=".length()).split(" ", -1)))
                .map(it -> it.split("=", 2))
                .collect(toMap(it -> it[0], it -> it[1]));
    }

    /** Returns the environment variable of a setting. */
    private static String variable(String setting) {
        return setting.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT);
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
        assertThat(List.of(text(SERVICE), text(AGENT)))
                .allSatisfy(it ->
                        assertThat(it).contains("\nStateDirectoryMode=0700\n", "\nUMask=0077\n"));
    }

    /** The agent listens to other hosts, and must not read the database of a service beside it. */
    @Test
    void unitsHaveUsersAndFoldersOfTheirOwn() {
        String data = "/var/lib/equipoise-service";
        assertThat(text(SERVICE))
                .contains(
                        "\nUser=equipoise-service\n",
                        "\nGroup=equipoise-service\n",
                        "\nStateDirectory=equipoise-service\n");
        assertThat(environment(SERVICE))
                .containsEntry("HOME", data)
                .containsEntry("EQUIPOISE_DATA", data + "/data")
                .containsEntry("EQUIPOISE_CHECKPOINT_FOLDER", data + "/checkpoints")
                .containsEntry(
                        "EQUIPOISE_ACCOUNT_ADMINISTRATORTOKENFILE", data + "/administrator-token");
        assertThat(text(AGENT))
                .contains(
                        "\nUser=equipoise\n",
                        "\nGroup=equipoise\n",
                        "\nStateDirectory=equipoise\n",
                        "\nCacheDirectory=equipoise\n");
        assertThat(environment(AGENT))
                .containsEntry("HOME", "/var/lib/equipoise")
                .containsEntry("XDG_STATE_HOME", "/var/lib/equipoise")
                .containsEntry("XDG_CACHE_HOME", "/var/cache/equipoise");
    }

    /** Service and agent ignore unknown variables, so a misspelled one would go unnoticed. */
    @ParameterizedTest
    @CsvSource({SERVICE + ", " + SERVICE_SETTINGS, AGENT + ", " + AGENT_SETTINGS})
    void variablesAreInTheUnitOrOnTheConfigurationPage(String unit, String settings) {
        Set<String> known =
                SETTING.matcher(text("docs/configuration.md"))
                        .results()
                        .map(it -> variable(it.group(1)))
                        .collect(toSet());
        String command = text(unit).replaceFirst("(?s).*\nExecStart=([^\n]*).*", "$1");
        Stream<String> optional = VARIABLE.matcher(text(settings)).results().map(it -> it.group(1));

        assertThat(Stream.concat(environment(unit).keySet().stream(), optional))
                .hasSizeGreaterThan(6)
                .allMatch(it ->
                        it.equals("HOME")
                                || known.contains(it)
                                || command.contains("$" + it)
                                || command.contains("${" + it + "}"));
    }

    @Test
    void installationPageHasTheTlsSettingsAsVariables() {
        Matcher settings = PROPERTIES.matcher(text("docs/tls.md"));
        assertThat(settings.find()).isTrue();
        String variables =
                settings.group(1)
                        .lines()
                        .map(it -> it.split("=", 2))
                        .map(it -> variable(it[0]) + "=" + it[1])
                        .collect(joining("\n"));

        assertThat(variables).contains("SERVER_SSL_BUNDLE=service");
        assertThat(text("docs/install.md")).contains("```properties\n" + variables + "\n```");
    }

    /** A limit in another section would be ignored. */
    @Test
    void failingServiceIsNotRestartedForever() {
        String unit = text(SERVICE).replaceFirst("(?s).*\n\\[Unit]\n(.*?)\n\\[Service]\n.*", "$1");

        assertThat(unit)
                .containsPattern("(?m)^StartLimitIntervalSec=1h$")
                .containsPattern("(?m)^StartLimitBurst=100$");
    }

    /** A signal to all processes would stop PostgreSQL before the service has finished. */
    @Test
    void serviceAloneGetsTheSignalOfAStop() {
        assertThat(text(SERVICE))
                .contains("\nKillMode=mixed\n", "\nEnvironment=EQUIPOISE_RESTARTS=0\n");
    }
}
