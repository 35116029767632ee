package dev.equipoise.launcher;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The archive of a release as it is unpacked. Its Java runtime is that of the test, with only the
 * modules that the archive has.
 */
record Installation(Path home) {

    /** A stub of jlink makes the runtime, because jlink itself takes long. */
    private static final String LAY_OUT =
            """
            home=$1
            release=$2
            JDK=$3
            JAVA_HOME=$release.jdk
            export JDK JAVA_HOME
            mkdir -p "$JAVA_HOME/bin"
            ln -s "$JDK/bin/java" "$JAVA_HOME/bin/java"
            cat >"$JAVA_HOME/bin/jlink" <<'END'
            #!/bin/sh
            while [ $# -gt 0 ]; do
                case $1 in
                    --add-modules) modules=$2 ;;
                    --output) folder=$2 ;;
                esac
                shift
            done
            mkdir -p "$folder/bin" "$folder/lib"
            cat >"$folder/bin/java" <<JAVA
            #!/bin/sh
            exec "$JDK/bin/java" --limit-modules $modules "\\$@"
            JAVA
            chmod +x "$folder/bin/java"
            END
            chmod +x "$JAVA_HOME/bin/jlink"
            . "$home/containers/lay-out.sh"
            lay_out_release "$release"
            """;

    /** Lays out the current build in a new folder. */
    static Installation layOut(Path folder) throws IOException, InterruptedException {
        TestingTool.run(
                "sh",
                "-euc",
                LAY_OUT,
                "sh",
                TestingCommand.HOME.toString(),
                folder.toString(),
                System.getProperty("java.home"));
        return new Installation(folder);
    }

    /** Lays out the same files in another new folder. */
    Installation copyTo(Path folder) throws IOException, InterruptedException {
        TestingTool.run("cp", "-al", home.toString(), folder.toString());
        return new Installation(folder);
    }

    List<String> command(String... arguments) {
        List<String> command = new ArrayList<>(List.of(home.resolve("equipoise").toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Runs a command in a folder to its end, without a JDK in its environment. */
    TestingCommand.Ended run(Path folder, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        ProcessBuilder builder = builder(environment, arguments).directory(folder.toFile());
        Process process = builder.start();
        process.getOutputStream().close();
        try (var running = new TestingProcess(builder.command(), process)) {
            return running.awaitExit();
        }
    }

    /** Starts a program in the background, without a JDK in its environment. */
    Process start(Path log, Map<String, String> environment, String... arguments)
            throws IOException {
        return builder(environment, arguments)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    private ProcessBuilder builder(Map<String, String> environment, String... arguments) {
        ProcessBuilder builder = new ProcessBuilder(command(arguments)).redirectErrorStream(true);
        TestingCommand.forgetService(builder);
        builder.environment().remove("JAVA_HOME");
        builder.environment().putAll(environment);
        return builder;
    }
}
