package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code ./equipoise packages} with stubs for large files. */
class PackagesIT {

    @TempDir private Path folder;

    @Test
    void packagesAreReadableToAllThoughTheirSourcesAreNot() throws Exception {
        String packed =
                TestingTool.output(
                        Map.of("JAVA_HOME", folder.resolve("jdk").toString()),
                        "sh",
                        "-euc",
                        """
                        umask 077
                        cd "$1"
                        mkdir -p containers worker-agent/src/main worker-agent/target/lib jdk/bin
                        mkdir -p worker-agent/target/classes/META-INF
                        cp "$2/pom.xml" "$2/LICENSE" "$2/NOTICE" .
                        cp "$2/containers/lay-out.sh" containers/
                        cp "$2/worker-agent/package.sh" worker-agent/
                        cp -r "$2/worker-agent/src/main/package" worker-agent/src/main/
                        touch worker-agent/target/worker-agent.jar worker-agent/target/lib/some.jar
                        touch worker-agent/target/classes/META-INF/THIRD-PARTY.txt
                        cat >jdk/bin/jlink <<'END'
                        for folder; do :; done
                        mkdir -p "$folder/lib" "$folder/bin"
                        install -m 700 /dev/null "$folder/bin/java"
                        END
                        chmod -R go= .
                        chmod u+x jdk/bin/jlink
                        worker-agent/package.sh packages >/dev/null 2>&1
                        tar -tvf packages/*.tar.gz
                        ! command -v dpkg-deb >/dev/null || dpkg-deb -c packages/*.deb
                        """,
                        "sh",
                        folder.toString(),
                        TestingCommand.HOME.toString());

        List<String> modes = packed.lines().map(it -> it.substring(0, 10)).distinct().toList();
        assertThat(packed).contains("some.jar", "bin/java", "equipoise-agent.service", "/LICENSE", "/NOTICE", "/THIRD-PARTY.txt");
        assertThat(modes)
                .filteredOn(it -> !it.startsWith("l"))
                .containsExactlyInAnyOrder("drwxr-xr-x", "-rw-r--r--", "-rwxr-xr-x");
    }
}
