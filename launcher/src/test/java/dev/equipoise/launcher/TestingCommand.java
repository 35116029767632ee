package dev.equipoise.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs commands as processes, as a user would. */
final class TestingCommand {

    /** The root of the checkout; tests run in the folder of their module. */
    static final Path HOME = Path.of("..").toAbsolutePath().normalize();

    /** Variables that name a service, which a developer may have set. */
    private static final List<String> SERVICE_VARIABLES =
            List.of("EQUIPOISE_URL", "EQUIPOISE_TOKEN", "EQUIPOISE_CA");

    private TestingCommand() {}

    /**
     * The result of a command.
     *
     * @param output standard output and standard error
     */
    record Ended(int status, String output) {}

    /** Runs the launcher without the script, which would start a build within the build. */
    static Ended launcher(String... arguments) throws IOException, InterruptedException {
        return run(launch(arguments), Map.of());
    }

    /**
     * Runs a command of the launcher that finds its service by arguments and contexts alone.
     *
     * @param secret first line of its standard input
     * @param configuration folder of the contexts
     */
    static Ended withoutService(String secret, Path configuration, String... arguments)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("sh", "-euc", "printf '%s\\n' \"$SECRET\" | \"$@\"", "sh"));
        command.addAll(launch(arguments));
        return run(command, Map.of("SECRET", secret, "XDG_CONFIG_HOME", configuration.toString()));
    }

    /** Returns the command line of the launcher. */
    static List<String> launch(String... arguments) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Dequipoise.home=" + HOME,
                                "-jar",
                                HOME.resolve("launcher/target/launcher.jar").toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    /**
     * Returns a command whose standard output is a pipe of which the reader has ended.
     *
     * @param pipe path of a pipe, which the command makes
     * @param redirections further redirections, such as of standard error
     */
    static List<String> withoutReader(Path pipe, String redirections, List<String> command) {
        String script =
                "mkfifo \"$1\"; exec 3<>\"$1\"; exec 4>\"$1\"; exec 3<&-; shift; exec \"$@\" >&4 "
                        + redirections;
        List<String> all = new ArrayList<>(List.of("sh", "-euc", script, "sh", pipe.toString()));
        all.addAll(command);
        return all;
    }

    static Ended script(Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(HOME.resolve("equipoise").toString()));
        command.addAll(List.of(arguments));
        return run(command, environment);
    }

    static Ended run(List<String> command, Map<String, String> environment)
            throws IOException, InterruptedException {
        try (TestingProcess process = start(command, environment)) {
            return process.awaitExit();
        }
    }

    /** Starts a command, with standard error redirected to standard output. */
    static TestingProcess start(List<String> command, Map<String, String> environment)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        forgetService(builder);
        builder.environment().put("EQUIPOISE_BUILT", "yes");
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        return new TestingProcess(command, process);
    }

    /** Removes the service of a developer from the environment of a process. */
    static void forgetService(ProcessBuilder builder) {
        SERVICE_VARIABLES.forEach(builder.environment()::remove);
    }

    /**
     * Starts the script in the background, with its state and its log in a folder.
     *
     * @param log name of the file to which its outputs are appended
     * @param prefix command that precedes the script
     */
    static Process startIn(
            Path folder,
            String log,
            List<String> prefix,
            Map<String, String> environment,
            String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(HOME.resolve("equipoise").toString());
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        forgetService(builder);
        // The process is the service itself, which tests kill, and no script that restarts it.
        builder.environment().put("EQUIPOISE_RESTARTS", "0");
        builder.environment().putAll(environment);
        builder.environment().put("EQUIPOISE_BUILT", "yes");
        builder.environment().put("XDG_STATE_HOME", folder.resolve("state").toString());
        // Agents share the journals of events, as on one host, and each is a worker of its own.
        builder.environment()
                .put("EQUIPOISE_STATE", folder.resolve("agents").resolve(log).toString());
        Path file = Files.createDirectories(folder.resolve("logs")).resolve(log + ".log");
        return builder.redirectOutput(ProcessBuilder.Redirect.appendTo(file.toFile())).start();
    }
}
