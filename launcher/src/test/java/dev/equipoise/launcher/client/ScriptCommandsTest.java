package dev.equipoise.launcher.client;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.AutoComplete;
import picocli.CommandLine;

/** Compares the commands of the launcher with those that the script lists and passes on. */
class ScriptCommandsTest {

    private static final Pattern LISTED = Pattern.compile("(?m)^  ([a-z-]+)(?: |$)");

    private static final Pattern CASE = Pattern.compile("(?m)^    ([a-z][a-z |-]*)\\)$");

    /** Commands that an installation refuses. */
    private static final Pattern REFUSED =
            Pattern.compile("(?m)^    ([a-z][a-z |-]*)\\)\n +fail .* works in a checkout");

    private static String script() throws IOException {
        return Files.readString(Path.of("..", "equipoise"));
    }

    private static Set<String> listed() throws IOException {
        String script = script();
        String usage = script.substring(script.indexOf("<<'END'"), script.indexOf("\nEND\n"));
        return LISTED.matcher(usage).results().map(it -> it.group(1)).collect(toSet());
    }

    @Test
    void helpOfTheScriptListsEveryCommandOfTheLauncher() throws IOException {
        assertThat(listed()).containsAll(Launcher.commandLine().getSubcommands().keySet());
    }

    @Test
    void scriptPassesEveryCommandOfTheLauncherOn() throws IOException {
        String passed =
                script().lines()
                        .dropWhile(it -> !it.startsWith("    demo | run"))
                        .takeWhile(it -> !it.contains("find_jdk"))
                        .reduce("", (all, line) -> all + " " + line);

        assertThat(passed.split("[ |)\\\\]+", -1))
                .contains(Launcher.commandLine().getSubcommands().keySet().toArray(String[]::new));
    }

    /** An installation passes unknown commands on to the launcher. */
    @Test
    void installationKnowsEveryCommandThatTheLauncherLacks() throws IOException {
        Set<String> known = installed(CASE);
        Set<String> others = new TreeSet<>(listed());
        others.removeAll(Launcher.commandLine().getSubcommands().keySet());

        assertThat(others).contains("service", "over-ssh", "test");
        assertThat(known).containsAll(others);
    }

    /** Returns the commands that the script of an installation names in matching lines. */
    private static Set<String> installed(Pattern lines) throws IOException {
        return lines.matcher(Files.readString(Path.of("src/main/package/equipoise")))
                .results()
                .flatMap(it -> Stream.of(it.group(1).split("[ |]+", -1)))
                .filter(it -> !it.startsWith("-"))
                .collect(toSet());
    }

    @Test
    void completionAndManualOfAnInstallationHaveItsCommandsAlone() throws IOException {
        Set<String> expected = new TreeSet<>(installed(CASE));
        expected.removeAll(installed(REFUSED));
        expected.addAll(Launcher.commandLine().getSubcommands().keySet());

        assertThat(installed(REFUSED)).contains("test", "packages");
        assertThat(ScriptCommands.all(false).getSubcommands().keySet()).isEqualTo(expected);
    }

    @Test
    void completionAndManualKnowEveryCommandOfTheScript() throws IOException {
        CommandLine all = ScriptCommands.all(true);
        String completion = AutoComplete.bash("equipoise", all);
        String page = ManPage.text(all);

        assertThat(all.getSubcommands().keySet()).containsAll(listed());
        assertThat(completion).contains("--detach", "complete -F _complete_equipoise");
        assertThat(page)
                .contains(".SS equipoise runs watch RUN...", ".B \\-o, \\-\\-output FORMAT")
                .contains(".SH EXIT STATUS");
    }

    @Test
    void everyCommandHasADescriptionAndHelp() {
        assertThat(commandsBelow(Launcher.commandLine()))
                .hasSizeGreaterThan(40)
                .allSatisfy(it -> {
                    assertThat(it.getCommandSpec().usageMessage().description()).isNotEmpty();
                    assertThat(it.getCommandSpec().optionsMap()).containsKey("--help");
                });
    }

    private static Stream<CommandLine> commandsBelow(CommandLine line) {
        return line.getSubcommands().values().stream()
                .flatMap(it -> Stream.concat(Stream.of(it), commandsBelow(it)));
    }
}
