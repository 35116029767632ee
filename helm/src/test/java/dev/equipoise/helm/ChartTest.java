package dev.equipoise.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.marcnuri.helm.DryRun;
import com.marcnuri.helm.Helm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

class ChartTest {

    private final JsonNode chart =
            new YAMLMapper().readTree(Chart.FOLDER.resolve("Chart.yaml").toFile());

    @Test
    void versionIsThatOfTheProject() {
        assertThat(List.of(chart.path("version"), chart.path("appVersion")))
                .extracting(JsonNode::asString)
                .containsOnly(System.getProperty("equipoise.version"));
    }

    @Test
    void kubeVersionStartsAtTheOldestTestedOne() {
        assertThat(chart.path("kubeVersion").asString())
                .isEqualTo(">=" + Chart.OLDEST_KUBERNETES + "-0");
    }

    /** The other tests treat the test pod as a plain object. */
    @Test
    void onlyTheTestPodIsAHook() throws IOException {
        try (var files = Files.walk(Chart.FOLDER.resolve("templates"))) {
            assertThat(files.filter(Files::isRegularFile).filter(ChartTest::isHook))
                    .containsExactly(Chart.FOLDER.resolve("templates/tests/service.yaml"));
        }
        assertThat(Files.readString(Chart.FOLDER.resolve("templates/tests/service.yaml")))
                .contains(Chart.HOOK);
    }

    private static boolean isHook(Path file) {
        try {
            return Files.readString(file).contains("helm.sh/hook:");
        } catch (IOException failure) {
            throw new java.io.UncheckedIOException(failure);
        }
    }

    @Test
    void notesExplainTheFirstSignIn() {
        assertThat(notes("lab"))
                .contains("https://lab.example/equipoise\n")
                .contains("get secret lab-equipoise-tokens")
                .contains("{{ index .data \"administrator-token\" | base64decode }}")
                .doesNotContain("it has no backups");
        assertThat(notes("closed"))
                .contains("at http://localhost:8080:", "port-forward service/lab-equipoise 8080")
                .contains("it has no backups");
        assertThat(notes("bucket")).contains("get secret lab-tokens");
    }

    @Test
    void notesTellTheHostNameOfTheCertificate() {
        assertThat(notes("encrypted"))
                .contains("lab-equipoise-tls must be valid for the host name lab-equipoise,");
        assertThat(notes("closed")).doesNotContain("must be valid for");
    }

    @Test
    void notesWarnOfAgentsWithoutState(@TempDir Path folder) throws IOException {
        String warning = "each new pod joins as a new worker";
        Path values =
                Files.writeString(
                        folder.resolve("values.yaml"), "agents: {volume: {persistent: false}}");

        assertThat(notes(values)).contains(warning);
        assertThat(notes("closed")).doesNotContain(warning);
        assertThat(notes("every-node")).doesNotContain(warning);
    }

    @Test
    void notesListTheImagesIfThereIsNoRegistry() {
        String version = System.getProperty("equipoise.version");

        assertThat(notes("closed"))
                .contains("The nodes must already have these images")
                .contains("  equipoise-service:" + version + "\n  equipoise-agent:" + version);
        assertThat(notes("lab")).doesNotContain("The nodes must");
    }

    /** Without a registry, the pull policy Always would fail. */
    @EveryRendering
    void pullPolicyIsNotAlwaysWithoutARegistry(Rendering rendering) {
        JsonNode images = rendering.values().path("images");

        assertThat(images.path("prefix").asString() + images.path("pullPolicy").asString())
                .isNotEqualTo("Always");
    }

    private static String notes(String name) {
        return notes(Chart.FOLDER.resolve("ci/" + name + "-values.yaml"));
    }

    private static String notes(Path values) {
        return new Helm(Chart.FOLDER)
                .install()
                .withName(Chart.RELEASE)
                .withNamespace(Chart.NAMESPACE)
                .withKubeVersion(Chart.OLDEST_KUBERNETES)
                .withValuesFile(values)
                .clientOnly()
                .withDryRunOption(DryRun.CLIENT)
                .call()
                .getOutput();
    }
}
