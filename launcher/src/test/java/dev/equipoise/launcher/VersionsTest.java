package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks that all files that name the version of the product name the same one. */
class VersionsTest {

    private static final String MODULES = "(?m)^  <version>(.+)</version>$";

    private static List<String> versions(String file, String pattern) {
        String text = TestingTree.text(TestingCommand.HOME.resolve(file));
        return Pattern.compile(pattern).matcher(text).results().map(it -> it.group(1)).toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "containers/compose.yaml    | EQUIPOISE_TAG:-([^}]+)} | 2",
                "helm/equipoise/Chart.yaml  | (?m)^[apvV]+ersion: (.+)$ | 2",
            })
    void filesOfSnapshotsNameTheVersion(String file, String pattern, int places) {
        String version = versions("pom.xml", MODULES).getFirst();

        assertThat(versions(file, pattern)).hasSize(places).containsOnly(version);
    }

    /** PEP 440 has another suffix for the work after a release. */
    @Test
    void pythonClientNamesTheVersionInItsForm() {
        String version = versions("pom.xml", MODULES).getFirst();

        assertThat(versions("clients/python/equipoise.py", "(?m)^__version__ = \"(.+)\"$"))
                .containsExactly(version.replace("-SNAPSHOT", ".dev0"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CITATION.cff                  | (?m)^version: (.+)$",
                "web-ui/package.json           | (?m)^  \"version\": \"(.+)\",$",
                "web-ui/package-lock.json      | (?m)^  \"version\": \"(.+)\",$",
            })
    void filesWithoutSnapshotsNameTheNumber(String file, String pattern) {
        String version = versions("pom.xml", MODULES).getFirst();

        assertThat(versions(file, pattern)).containsExactly(version.replace("-SNAPSHOT", ""));
    }
}
