package dev.equipoise.benchmarks;

import java.util.ArrayList;
import java.util.List;

/** Command line of a process that runs a subcommand of the benchmarks for this process. */
public final class Subprocess {

    private static final List<String> OPTIONS =
            List.of(
                    "-XX:+UseSerialGC",
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow",
                    "--add-modules",
                    "jdk.incubator.vector");

    private Subprocess() {}

    /**
     * Returns the command line, with the Java and the class path of this process.
     *
     * @param options of the virtual machine, in addition to those of every subprocess
     * @param subcommand with its own options
     */
    public static List<String> command(List<String> options, List<String> subcommand) {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(OPTIONS);
        command.addAll(options);
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), Bench.class.getName()));
        command.addAll(subcommand);
        return command;
    }
}
