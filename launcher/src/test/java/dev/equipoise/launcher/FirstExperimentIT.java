package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the first experiment of the README as a reader would, with the lines that {@code ./equipoise
 * up} prints. Only the number of samples is smaller.
 */
class FirstExperimentIT {

    /** Variables that the reader of the README pastes into another terminal. */
    private static final List<String> VARIABLES = List.of("EQUIPOISE_URL", "EQUIPOISE_TOKEN");

    @TempDir private Path folder;

    /** The block that ends with the command {@code run}; its definition ends with a line END. */
    private static String commands() throws Exception {
        return Page.all().stream()
                .filter(page -> page.name().equals("README.md"))
                .flatMap(page -> page.blocks().stream())
                .map(Page.Block::script)
                .filter(script -> script.startsWith("cat > experiment.yaml"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @ExtendWith(SharedLabs.class)
    void readersFirstExperimentRunsAsWritten(StandingLab lab) throws Exception {
        String script = commands();
        assertThat(script)
                .contains("\nEND\n", "limit: 12000")
                .endsWith(String.join(" ", "./equipoise", "run", "experiment.yaml\n"))
                .doesNotContain("selector", "sed ", "$");
        Map<String, String> environment = new HashMap<>(lab.environment());
        assertThat(environment).containsOnlyKeys(VARIABLES);
        environment.put("FOLDER", folder.toString());
        String smaller =
                script.replace("limit: 12000", "limit: 600")
                        .replace("./equipoise ", TestingCommand.HOME.resolve("equipoise") + " ");

        TestingCommand.Ended ended =
                TestingCommand.run(List.of("sh", "-ec", "cd \"$FOLDER\"\n" + smaller), environment);

        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(ended.output())
                .contains("seed 1", "seed 2")
                .containsPattern("2 of 2 +0\\.\\d{4}");
    }

    /** Nothing of them has to be copied into another line. */
    @Test
    void upPrintsTheVariablesAndTheCommandAsLinesToPaste() {
        assertThat(Up.usage(URI.create("http://127.0.0.1:8080"), "eqp_secret", "eqc_once").lines())
                .containsSubsequence(
                        "http://127.0.0.1:8080/sign-in#code=eqc_once",
                        "export EQUIPOISE_URL=http://127.0.0.1:8080",
                        "export EQUIPOISE_TOKEN=eqp_secret",
                        "./equipoise run experiment.yaml");
    }
}
