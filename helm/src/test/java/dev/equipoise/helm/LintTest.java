package dev.equipoise.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.dataformat.yaml.YAMLMapper;

class LintTest {

    @TempDir private Path copy;

    /** The Helm library lints a chart with its own values alone, so the test replaces these. */
    @EveryRendering
    void strictLintReportsNoProblem(Rendering rendering) throws IOException {
        Chart.copy(copy);
        new YAMLMapper().writeValue(copy.resolve("values.yaml"), rendering.values());

        LintResult result = new Helm(copy).lint().strict().call();

        assertThat(result.getMessages()).noneMatch(it -> it.matches("(?s).*\\[(WARNING|ERROR)].*"));
        assertThat(result.isFailed()).isFalse();
    }
}
