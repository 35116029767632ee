package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code ./equipoise release} in a clone of this checkout. */
class ReleaseIT {

    @TempDir private Path folder;
    @TempDir private Path home;

    private String shell(String script) throws Exception {
        return TestingTool.output(
                Map.of("GIT_CONFIG_GLOBAL", "/dev/null", "HOME", home.toString()),
                "sh",
                "-euc",
                "cd \"$1\"\n" + script,
                "sh",
                folder.toString());
    }

    @BeforeEach
    void cloneWithTheScriptOfTheWorkingTree() throws Exception {
        TestingTool.run(
                "git", "clone", "-q", "--depth", "1", "file://" + TestingCommand.HOME, "" + folder);
        TestingTool.run(
                "cp", TestingCommand.HOME.resolve(".ci/release").toString(), folder + "/.ci/");
        var _ =
                shell(
                        """
                        git config user.name tests
                        git config user.email tests@equipoise.invalid
                        git commit -qam 'Take the script of the working tree' || true
                        """);
    }

    @Test
    void releaseNamesTheVersionEverywhereAndIsTagged() throws Exception {
        String output =
                shell(
                        """
                        FILES='helm/equipoise/Chart.yaml containers/compose.yaml'
                        .ci/release 9.8.7
                        git describe --tags --exact-match
                        test -z "$(git status --porcelain)"
                        for file in pom.xml */pom.xml $FILES CITATION.cff CHANGELOG.md clients/python/equipoise.py \\
                            web-ui/package.json web-ui/package-lock.json; do
                            grep -q 9.8.7 $file || { echo "$file does not name 9.8.7"; exit 1; }
                        done
                        if grep -n SNAPSHOT pom.xml */pom.xml $FILES; then exit 1; fi
                        grep "date-released: $(date -u +%Y)" CITATION.cff
                        if .ci/release 9.8.7; then exit 1; fi
                        .ci/release 9.9.0-SNAPSHOT
                        grep -c 9.9.0-SNAPSHOT app/pom.xml
                        grep '"9.9.0.dev0"' clients/python/equipoise.py
                        if grep date-released CITATION.cff; then exit 1; fi
                        if .ci/release 9.8.7; then exit 1; fi
                        test -z "$(git status --porcelain)"
                        """);

        assertThat(output)
                .contains("Release 9.8.7", "\nv9.8.7\n", "\ndate-released: ")
                .contains("the version is 9.8.7 already")
                .contains("Begin version 9.9.0")
                .contains("\n1\n")
                .contains("the tag v9.8.7 exists already");
    }

    @Test
    void invalidVersionsAndChangedTreesAreRefused() throws Exception {
        String output =
                shell(
                        """
                        for version in '' 1 1.2 1.2.x 01.2.3 1.2.3-rc1; do
                            if .ci/release "$version"; then exit 1; fi
                        done
                        echo >>README.md
                        if .ci/release 9.8.7; then exit 1; fi
                        git diff --stat
                        """);

        assertThat(output.split("must be MAJOR.MINOR.PATCH", -1)).hasSize(7);
        assertThat(output)
                .contains("the working tree has changes: commit or remove them first")
                .contains(" README.md | 1 +\n 1 file changed");
    }
}
