package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.VersionController.ServiceVersion;
import dev.equipoise.app.problem.Violation;
import org.junit.jupiter.api.Test;

class MarkdownJavadocTest {

    private final MarkdownJavadoc javadoc = new MarkdownJavadoc();

    @Test
    void compilerKeepsTheJavadocOfRecords() {
        assertThat(javadoc.getClassJavadoc(ServiceVersion.class))
                .isEqualTo(
                        "Version of the service. It has no time of the build, as builds are"
                                + " reproducible.");
        assertThat(javadoc.getRecordClassParamJavadoc(ServiceVersion.class))
                .containsOnlyKeys("version", "protocol")
                .containsEntry("protocol", "Version of the messages between service and agents");
    }

    @Test
    void codeIsMarkdown() {
        assertThat(javadoc.getRecordClassParamJavadoc(Violation.class).get("pointer"))
                .isEqualTo(
                        "The place, as a JSON pointer into the body, for example"
                                + " `/training/epochs`");
    }

    @Test
    void summaryIsTheFirstSentence() {
        assertThat(javadoc.getFirstSentence("Lists runs. Pages have a cursor."))
                .isEqualTo("Lists runs");
        assertThat(javadoc.getFirstSentence("Lists runs.\n\nPages have a cursor."))
                .isEqualTo("Lists runs");
        assertThat(javadoc.getFirstSentence("Lists v1.2 runs")).isEqualTo("Lists v1.2 runs");
        assertThat(javadoc.getFirstSentence("")).isEmpty();
    }

    @Test
    void missingTextIsEmpty() throws NoSuchMethodException {
        assertThat(javadoc.getClassJavadoc(String.class)).isEmpty();
        assertThat(javadoc.getParamJavadoc(Object.class.getMethod("toString"), "other")).isEmpty();
    }
}
