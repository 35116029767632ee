package dev.equipoise.launcher.client;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints, writes or deletes the notes of a run. */
@Command(
        name = "notes",
        description = "Prints the notes of a run, in Markdown, or writes or deletes them.",
        mixinStandardHelpOptions = true)
final class RunNotes extends NotesCommand {

    @Parameters(paramLabel = RunCommands.RUN_LABEL, description = RunCommands.RUN_DESCRIPTION)
    private String run = "";

    @Override
    Noted noted(Finder finder) {
        return new Noted("run", finder.run(run));
    }
}
