package dev.equipoise.launcher.client;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The commands that the start script itself runs, for completion and help. */
final class ScriptCommands {

    /** Commands of a checkout, which an installation lacks. */
    private static final Map<String, String> DEVELOPMENT = new LinkedHashMap<>();

    private static final Map<String, String> PROGRAMS = new LinkedHashMap<>();

    static {
        DEVELOPMENT.put("test", "Runs the gate: all tests.");
        DEVELOPMENT.put("night", "Runs the tests that take hours.");
        DEVELOPMENT.put("pictures", "Takes a picture of every page of the dashboard.");
        DEVELOPMENT.put("pages", "Writes the tables of docs/configuration.md from the sources.");
        DEVELOPMENT.put("chaos", "Injects each fault into a run of each method.");
        DEVELOPMENT.put("soak", "Runs short runs of every method for two hours.");
        DEVELOPMENT.put("sbom", "Lists the components with versions and licenses.");
        DEVELOPMENT.put("images", "Builds the images of the service and of the agent.");
        DEVELOPMENT.put("packages", "Packs service, agent and command line with a runtime.");
        DEVELOPMENT.put("release", "Sets the version in all files that name it, commits and tags.");
        DEVELOPMENT.put("build", "Builds everything, without tests.");
        DEVELOPMENT.put("bench", "Measures the speed of a part.");
        PROGRAMS.put("over-ssh", "Starts, upgrades, stops and removes agents by ssh.");
        PROGRAMS.put("service", "Starts the service alone.");
        PROGRAMS.put("agent", "Starts one agent.");
        PROGRAMS.put("predict", "Predicts classes with the file of a trained model.");
        PROGRAMS.put("export", "Exports the file of a trained model to ONNX.");
        PROGRAMS.put("help", "Lists the commands.");
    }

    private ScriptCommands() {}

    /** Returns the command line of the launcher with the commands of its script. */
    static CommandLine all() {
        Path home = Path.of(System.getProperty("equipoise.home", "."));
        return all(Files.exists(home.resolve("pom.xml")));
    }

    /** Returns the command line with the commands of a checkout, or of an installation. */
    static CommandLine all(boolean isCheckout) {
        CommandLine line = Launcher.commandLine();
        if (isCheckout) {
            DEVELOPMENT.forEach((name, description) -> add(line, name, description));
        }
        PROGRAMS.forEach((name, description) -> add(line, name, description));
        return line;
    }

    private static void add(CommandLine line, String name, String description) {
        CommandSpec command = CommandSpec.create().name(name);
        command.usageMessage().description(description);
        line.addSubcommand(name, new CommandLine(command));
    }
}
