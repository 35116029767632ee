package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands of docs/models.md on a small model, as processes. {@link TrainedModelIT} has
 * the output as JSON.
 */
class ModelCommandsIT {

    static final String MODEL =
            TestingCommand.HOME
                    .resolve("worker-agent/src/test/resources/dev/equipoise/agent/model")
                    .resolve("digits.safetensors")
                    .toString();

    @TempDir private Path folder;

    @Test
    void predictPrintsTheResultAlone() throws Exception {
        Path rows = Files.writeString(folder.resolve("rows.csv"), "8" + ",3".repeat(63) + "\n");

        TestingCommand.Ended table =
                TestingCommand.script(Map.of(), "predict", MODEL, rows.toString());

        assertThat(table.status()).as(table.output()).isZero();
        assertThat(table.output())
                .startsWith("sample  label  predicted  probability\n")
                .endsWith("1 predictions; the data have no labels\n");
    }

    @Test
    void exportWritesAnOnnxFile() throws Exception {
        Path onnx = folder.resolve("model.onnx");

        TestingCommand.Ended ended =
                TestingCommand.script(Map.of(), "export", MODEL, "--onnx", onnx.toString());

        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(ended.output()).isEmpty();
        assertThat(onnx).isNotEmptyFile();
    }

    @Test
    void missingFileIsOneSentence() throws Exception {
        TestingCommand.Ended ended =
                TestingCommand.script(Map.of(), "predict", folder.resolve("none").toString());

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.output())
                .isEqualTo("equipoise: %s: it does not exist\n".formatted(folder.resolve("none")));
    }
}
