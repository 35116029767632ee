package dev.equipoise.launcher.client;

import static dev.equipoise.launcher.client.ResourceColumn.field;
import static dev.equipoise.launcher.client.ResourceColumn.time;

import dev.equipoise.launcher.LabFailure;
import dev.equipoise.launcher.ServiceApi;
import dev.equipoise.launcher.UsageError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Prints, writes or deletes the notes of a run or an experiment. */
abstract class NotesCommand implements Callable<Integer> {

    private static final String STANDARD_INPUT = "-";

    private static final ResourceTable NOTES =
            ResourceTable.of(
                    field("text", "/text"),
                    field("author", "/author"),
                    time("written", "/writtenAt"));

    @Mixin private final ClientOptions client = new ClientOptions();

    @Option(names = "--set", paramLabel = "TEXT", description = "replace the notes by this text")
    private @Nullable String text;

    @Option(
            names = "--file",
            paramLabel = "F",
            description = "replace the notes by the content of this file; - for standard input")
    private @Nullable String file;

    @Option(names = "--delete", description = "delete the notes")
    private boolean delete;

    /** Returns the resource that has the notes. */
    abstract Noted noted(Finder finder);

    /**
     * Resource that has the notes.
     *
     * @param kind its kind in the singular, for example {@code run}
     */
    record Noted(String kind, String id) {

        private String path() {
            return kind + "s/" + id;
        }

        @Override
        public String toString() {
            return kind + " " + id;
        }
    }

    @Override
    public Integer call() {
        long changes = Stream.of(text != null, file != null, delete).filter(it -> it).count();
        if (changes > 1) {
            throw new UsageError(
                    "--set, --file and --delete exclude one another: give one of them");
        }
        return client.call((api, output) -> {
            Noted noted = noted(new Finder(api));
            if (changes == 0) {
                show(api.get(noted.path()).path("notes"), noted, output);
            } else {
                change(api, noted);
                output.message((delete ? "deleted" : "wrote") + " the notes of " + noted);
            }
            return ExitStatus.OK;
        });
    }

    private void change(ServiceApi api, Noted noted) {
        Map<String, @Nullable String> patch = new HashMap<>();
        patch.put("notes", delete ? null : wanted());
        api.patch(noted.path(), patch);
    }

    private String wanted() {
        if (text != null) {
            return text;
        }
        String name = Objects.requireNonNull(file, "the options are checked");
        try {
            return name.equals(STANDARD_INPUT)
                    ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(Path.of(name));
        } catch (IOException failure) {
            throw new LabFailure(
                    "cannot read the notes from %s: %s".formatted(name, LabFailure.reason(failure)),
                    failure);
        }
    }

    private static void show(JsonNode notes, Noted noted, Output output) {
        if (notes.isObject() && output.format() == OutputFormat.TABLE) {
            String shown = notes.path("text").asString("").stripTrailing();
            // Notes of other clients may have line ends of all kinds.
            output.print(
                    shown.replace("\r\n", "\n").replaceAll("[\\p{Cc}&&[^\\t\\n]]", " ") + "\n");
        } else if (notes.isObject()) {
            output.single(NOTES, notes);
        } else {
            if (output.format() == OutputFormat.JSON) {
                output.print("null\n");
            }
            output.message(noted + " has no notes");
        }
    }
}
