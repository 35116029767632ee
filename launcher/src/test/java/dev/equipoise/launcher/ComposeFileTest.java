package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ComposeFileTest {

    private static final Pattern TAG = Pattern.compile("EQUIPOISE_TAG:-([^}]+)}");

    /** The version of the project itself: the first one with the indentation of the parent's. */
    private static final Pattern VERSION = Pattern.compile("(?m)^  <version>(.+)</version>$");

    @Test
    void composeFileUsesImagesOfTheCurrentVersion() {
        String file = TestingTree.text(TestingCommand.HOME.resolve("containers/compose.yaml"));
        var pom = VERSION.matcher(TestingTree.text(TestingCommand.HOME.resolve("pom.xml")));
        assertThat(pom.find()).isTrue();

        assertThat(TAG.matcher(file).results().map(it -> it.group(1)))
                .hasSize(2)
                .containsOnly(pom.group(1));
    }
}
