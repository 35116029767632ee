package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Completes words in a real bash, by the script that the command prints. */
class CompletionIT {

    /** Loads the script that a command prints, and prints the completions of a line. */
    private static final String COMPLETE =
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

    @ParameterizedTest
    @CsvSource({
        "equipoise expe, experiments",
        "equipoise over, over-ssh",
        "equipoise runs wa, watch",
        "equipoise run --deta, --detach"
    })
    void bashCompletesCommandsAndOptions(String line, String completion) throws Exception {
        List<String> command = new ArrayList<>(List.of("bash", "-c", COMPLETE, "bash", line));
        command.addAll(TestingCommand.launch("completion", "bash"));

        TestingCommand.Ended ended = TestingCommand.run(command, Map.of());

        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(ended.output().split("\\s+", -1)).contains(completion);
    }
}
