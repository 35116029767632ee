package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs the commands of docs/models.md on a small model, as processes. */
class ModelCommandsIT {

    private static final String MODEL =
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
        TestingCommand.Ended json =
                TestingCommand.script(
                        Map.of(), "predict", MODEL, rows.toString(), "--output=json", "--top=3");

        assertThat(table.status()).as(table.output()).isZero();
        assertThat(table.output())
                .startsWith("sample  label  predicted  probability\n")
                .endsWith("1 predictions; the data have no labels\n");
        JsonNode result = JsonMapper.shared().readTree(json.output());
        assertThat(result.at("/predictions/0/classes").size()).isEqualTo(3);
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
