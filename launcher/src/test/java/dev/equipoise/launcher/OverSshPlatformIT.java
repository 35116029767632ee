package dev.equipoise.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./equipoise over-ssh} with an archive of another platform, and a stub of ssh. */
class OverSshPlatformIT {

    @TempDir private Path folder;

    @Test
    void archiveOfAnotherPlatformIsRefusedBeforeItIsCopied() throws Exception {
        String output =
                TestingTool.output(
                        Map.of("HOME", folder.toString(), "EQUIPOISE_SSH", folder + "/ssh"),
                        "sh",
                        "-euc",
                        """
                        cd "$1"
                        mkdir -p agent/lib agent/bin
                        touch agent/bin/equipoise-agent "agent/lib/javacpp-1-linux-$([ $(uname -m) = aarch64 ] && echo x86_64 || echo arm64).jar"
                        tar -czf agent.tar.gz agent
                        echo secret >token
                        printf '#!/bin/sh\\nwhile [ "$1" != -- ]; do shift; done\\nshift 2\\nexec "$@"\\n' >ssh
                        chmod +x ssh
                        if "$2/worker-agent/over-ssh.sh" start --archive agent.tar.gz \\
                            --service http://127.0.0.1:1 --join-token-file token north 2>&1; then exit 1; fi
                        ls -A
                        """,
                        "sh",
                        folder.toString(),
                        TestingCommand.HOME.toString());

        assertThat(output)
                .contains("north: the archive is for linux-", "but the machine is linux-")
                .doesNotContain(".local");
    }
}
