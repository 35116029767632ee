package dev.equipoise.launcher;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs commands as a user would, as processes. */
final class TestingCommand {

    /** The root of the checkout; tests run in the folder of their module. */
    static final Path HOME = Path.of("..").toAbsolutePath().normalize();

    private TestingCommand() {}

    /**
     * A command that has ended.
     *
     * @param output standard output and standard error
     */
    record Ended(int status, String output) {}

    /** The launcher without the script, which would start a build within the build. */
    static Ended launcher(String... arguments) throws IOException, InterruptedException {
        return run(launch(arguments), Map.of());
    }

    /** The command line of the launcher. */
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

    static Ended script(Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(HOME.resolve("equipoise").toString()));
        command.addAll(List.of(arguments));
        return run(command, environment);
    }

    static Ended run(List<String> command, Map<String, String> environment)
            throws IOException, InterruptedException {
        Process process = start(command, environment);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), output);
    }

    /** Standard error goes where standard output goes. */
    static Process start(List<String> command, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("EQUIPOISE_BUILT", "yes");
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        return process;
    }

    /** The first group of the first line that matches, which the process must print. */
    static String told(BufferedReader output, String pattern) throws IOException {
        Pattern wanted = Pattern.compile(pattern);
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            Matcher matcher = wanted.matcher(line);
            if (matcher.find()) {
                return matcher.group(1);
            }
        }
        throw new AssertionError("the process ended and never said " + pattern);
    }
}
