package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the labels of images that {@code containers/origin.sh} takes from git. */
class OriginLabelsIT {

    private static final String PREFIX = "org.opencontainers.image.";

    @TempDir private Path folder;

    @BeforeEach
    void commit() throws Exception {
        var _ =
                shell(
                        """
                        git init -q
                        echo one >file
                        git add file
                        git -c user.name=tests -c user.email=tests@equipoise.invalid commit -qm First
                        """);
    }

    private String shell(String script) throws Exception {
        return TestingTool.output(
                Map.of(
                        "GIT_CONFIG_GLOBAL",
                        "/dev/null",
                        "GIT_COMMITTER_DATE",
                        "2026-11-28T01:30:00+0200"),
                "sh",
                "-euc",
                "cd \"$1\"\n" + script,
                "sh",
                folder.toString(),
                TestingCommand.HOME.toString());
    }

    /** Returns the labels of a folder of the repository. */
    private List<String> labels(String below) throws Exception {
        return shell(
                        "home=$(pwd -P)%s\n. \"$2/containers/origin.sh\"\norigin_labels\n"
                                .formatted(below))
                .lines()
                .toList();
    }

    private String revision() throws Exception {
        return PREFIX + "revision=" + shell("git rev-parse HEAD").strip();
    }

    @Test
    void labelsNameTheCommitAndItsTime() throws Exception {
        assertThat(labels("")).containsExactly(revision(), PREFIX + "created=2026-11-27T23:30:00Z");
    }

    @Test
    void labelOfAChangedTreeSaysSo() throws Exception {
        var _ = shell("echo two >file");

        assertThat(labels("")).first().isEqualTo(revision() + "-dirty");
    }

    @Test
    void labelsNameAPublicRepository() throws Exception {
        var _ = shell("git remote add origin https://example.org/lab/equipoise.git");

        assertThat(labels(""))
                .hasSize(3)
                .last()
                .isEqualTo(PREFIX + "source=https://example.org/lab/equipoise.git");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://user:secret@example.org/equipoise.git",
                "https://example.org/equipoise.git?token=secret",
                "ssh://git@example.org/equipoise.git",
                "/srv/equipoise.git"
            })
    void labelsNameNoAddressThatMayHoldASecretOrAFolder(String address) throws Exception {
        var _ = shell("git remote add origin '%s'".formatted(address));

        assertThat(labels("")).hasSize(2);
    }

    @Test
    void sourcesInTheRepositoryOfAnotherProjectHaveNoLabels() throws Exception {
        var _ = shell("mkdir unpacked");

        assertThat(labels("/unpacked")).isEmpty();
    }
}
