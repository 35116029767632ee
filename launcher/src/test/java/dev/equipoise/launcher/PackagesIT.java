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
                packed(
                        "$(uname -m | sed s/aarch64/arm64/)",
                        """
                        worker-agent/package.sh packages >/dev/null 2>&1
                        tar -tvf packages/*-linux-$(uname -m).tar.gz
                        ! command -v dpkg-deb >/dev/null || dpkg-deb -c packages/*.deb
                        """);

        List<String> modes = packed.lines().map(it -> it.substring(0, 10)).distinct().toList();
        assertThat(packed)
                .contains(
                        "javacpp-1-linux-",
                        "bin/java",
                        "equipoise-agent.service",
                        "/LICENSE",
                        "/NOTICE",
                        "/THIRD-PARTY.txt");
        assertThat(modes)
                .filteredOn(it -> !it.startsWith("l"))
                .containsExactlyInAnyOrder("drwxr-xr-x", "-rw-r--r--", "-rwxr-xr-x");
    }

    /** The Java runtime of this machine would not run with them. */
    @Test
    void nativeLibrariesOfAnotherPlatformAreRefused() throws Exception {
        String other = "$([ $(uname -m) = aarch64 ] && echo x86_64 || echo arm64)";

        assertThat(packed(other, "! worker-agent/package.sh packages 2>&1"))
                .contains("equipoise: the agent is built for linux-", "but this machine");
        assertThat(packed("riscv64", "! worker-agent/package.sh packages 2>&1"))
                .contains("equipoise: the agent is built for no known platform");
    }

    /**
     * Runs a script in a checkout whose agent has native libraries of one processor.
     *
     * @param processor as JavaCPP names it, or a command of the shell that prints it
     */
    private String packed(String processor, String script) throws Exception {
        return TestingTool.output(
                Map.of("JAVA_HOME", folder.resolve("jdk").toString()),
                "sh",
                "-euc",
                """
                umask 077
                cd "$1"
                rm -rf -- * && mkdir -p containers worker-agent/src/main worker-agent/target/lib jdk/bin
                mkdir -p worker-agent/target/classes/META-INF
                cp "$2/pom.xml" "$2/LICENSE" "$2/NOTICE" .
                cp "$2/containers/lay-out.sh" containers/
                cp "$2/worker-agent/package.sh" worker-agent/
                cp -r "$2/worker-agent/src/main/package" worker-agent/src/main/
                touch worker-agent/target/worker-agent.jar
                touch worker-agent/target/classes/META-INF/THIRD-PARTY.txt
                touch "worker-agent/target/lib/javacpp-1-linux-PROCESSOR.jar"
                cat >jdk/bin/jlink <<'END'
                for folder; do :; done
                mkdir -p "$folder/lib" "$folder/bin"
                install -m 700 /dev/null "$folder/bin/java"
                END
                chmod -R go= .
                chmod u+x jdk/bin/jlink
                SCRIPT
                """
                        .replace("PROCESSOR", processor)
                        .replace("SCRIPT", script),
                "sh",
                folder.toString(),
                TestingCommand.HOME.toString());
    }
}
