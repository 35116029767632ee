package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Completes words in real shells, by the scripts that the command prints. */
class CompletionIT {

    /** Loads the script that a command prints, and prints the completions of a line. */
    private static final String BASH =
            """
            line=$1
            shift
            eval "$("$@")"
            complete -p equipoise >/dev/null
            COMP_WORDS=($line)
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _complete_equipoise
            echo "${COMPREPLY[@]}"
            """;

    /** Does so with the options under which {@code bashcompinit} calls functions for bash. */
    private static final String ZSH =
            """
            line=$1
            shift
            eval "$("$@")"
            [[ ${_comps[equipoise]} == *_complete_equipoise* ]] || exit 1
            complete_line() {
                emulate -L sh
                setopt kshglob noshglob braceexpand
                COMP_LINE=$1
                COMP_WORDS=($1)
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _complete_equipoise
                echo "${COMPREPLY[@]}"
            }
            complete_line "$line"
            """;

    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource({
        "equipoise expe, experiments",
        "equipoise over, over-ssh",
        "equipoise runs wa, watch",
        "equipoise run --deta, --detach"
    })
    void bashCompletesCommandsAndOptions(String line, String completion) throws Exception {
        assertCompletes(List.of("bash", "-c", BASH, "bash", line), "bash", completion);
    }

    @ParameterizedTest
    @CsvSource({
        "equipoise expe, experiments",
        "equipoise over, over-ssh",
        "equipoise runs wa, watch",
        "equipoise run --deta, --detach"
    })
    void zshCompletesCommandsAndOptions(String line, String completion) throws Exception {
        assumeTrue(
                TestingTool.succeeds("zsh", "--version"),
                "there is no zsh; Debian's package is zsh");

        assertCompletes(List.of("zsh", "-f", "-c", ZSH, "zsh", line), "zsh", completion);
    }

    private void assertCompletes(List<String> script, String shell, String completion)
            throws Exception {
        List<String> command = new ArrayList<>(script);
        command.addAll(TestingCommand.launch("completion", shell));

        // The folder in which zsh stores what it has loaded.
        TestingCommand.Ended ended =
                TestingCommand.run(command, Map.of("ZDOTDIR", folder.toString()));

        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(ended.output()).doesNotContain("not found");
        assertThat(ended.output().split("\\s+", -1)).contains(completion);
    }
}
