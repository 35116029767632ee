package dev.equipoise.launcher.client;

import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The commands of {@code ./equipoise} that the script itself runs, for completion and help. */
final class ScriptCommands {

    private static final Map<String, String> COMMANDS = new LinkedHashMap<>();

    static {
        COMMANDS.put("test", "Runs the gate: all tests.");
        COMMANDS.put("night", "Runs the tests that take hours.");
        COMMANDS.put("pictures", "Takes a picture of every page of the dashboard.");
        COMMANDS.put("pages", "Writes the tables of docs/configuration.md from the sources.");
        COMMANDS.put("chaos", "Injects each fault into a run of each method.");
        COMMANDS.put("soak", "Runs short runs of every method for two hours.");
        COMMANDS.put("sbom", "Lists the components with versions and licenses.");
        COMMANDS.put("images", "Builds the images of the service and of the agent.");
        COMMANDS.put("packages", "Packs service, agent and command line with a runtime.");
        COMMANDS.put("over-ssh", "Starts, upgrades and stops agents by ssh.");
        COMMANDS.put("release", "Sets the version in all files that name it, commits and tags.");
        COMMANDS.put("build", "Builds everything, without tests.");
        COMMANDS.put("service", "Starts the service alone.");
        COMMANDS.put("agent", "Starts one agent.");
        COMMANDS.put("bench", "Measures the speed of a part.");
        COMMANDS.put("predict", "Predicts classes with the file of a trained model.");
        COMMANDS.put("export", "Exports the file of a trained model to ONNX.");
        COMMANDS.put("help", "Lists the commands.");
    }

    private ScriptCommands() {}

    /** Returns the command line of the launcher with the commands of the script beside its own. */
    static CommandLine all() {
        CommandLine line = Launcher.commandLine();
        COMMANDS.forEach((name, description) -> {
            CommandSpec command = CommandSpec.create().name(name);
            command.usageMessage().description(description);
            line.addSubcommand(name, new CommandLine(command));
        });
        return line;
    }
}
