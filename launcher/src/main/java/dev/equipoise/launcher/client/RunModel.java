package dev.equipoise.launcher.client;

import dev.equipoise.launcher.LabFailure;
import dev.equipoise.launcher.ServiceApi;
import dev.equipoise.launcher.UsageError;
import dev.equipoise.launcher.interrupt.BrokenPipe;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Downloads or deletes the model of a run. */
@Command(
        name = "model",
        description = "Downloads the trained model of a run as a safetensors file, or deletes it.",
        mixinStandardHelpOptions = true)
final class RunModel implements Callable<Integer> {

    private static final String STANDARD_OUTPUT = "-";

    @Mixin private final ClientOptions client = new ClientOptions();

    @Option(
            names = "--file",
            paramLabel = "F",
            description =
                    "file to write, replaced if it exists; - for standard output (default:"
                            + " RUN.safetensors)")
    private @Nullable String file;

    @Option(
            names = "--delete",
            description = "delete the model at the service; the figures of the run stay")
    private boolean delete;

    @Mixin private final Confirmation confirmation = new Confirmation();

    @Parameters(paramLabel = RunCommands.RUN_LABEL, description = RunCommands.RUN_DESCRIPTION)
    private String run = "";

    @Override
    public Integer call() {
        if (delete && file != null) {
            throw new UsageError("--delete downloads nothing: omit --file, or --delete");
        }
        return client.call((api, output) -> {
            String id = new Finder(api).run(run);
            String path = "runs/%s/model".formatted(id);
            if (delete) {
                confirmation.require("Delete the model of run %s?".formatted(id));
                api.delete(path);
                output.message("deleted the model of run " + id);
            } else if (STANDARD_OUTPUT.equals(file)) {
                copy(api, path);
            } else {
                Path target = target(file == null ? id + ".safetensors" : file);
                save(api, path, target);
                output.message("wrote the model to " + target);
            }
            return ExitStatus.OK;
        });
    }

    /** Refuses a folder: the move would replace an empty one by the file. */
    private static Path target(String name) {
        Path target = Path.of(name);
        if (Files.exists(target) && !Files.isRegularFile(target)) {
            throw new UsageError(
                    "--file must name a file, but %s is a folder or a device".formatted(target));
        }
        return target;
    }

    /** Writes past {@code System.out}, which hides that a write has failed. */
    private static void copy(ServiceApi api, String path) {
        try {
            api.download(path, BrokenPipe.standardOutput());
        } catch (IOException failure) {
            throw failed("standard output", failure);
        }
    }

    /**
     * Writes a file beside the target first, so that a part of a model never has its name. Each
     * download has a file of its own, with the permissions that other new files of the user have.
     */
    private static void save(ServiceApi api, String path, Path target) {
        Path part =
                target.resolveSibling(
                        "%s.%s.part".formatted(target.getFileName(), UUID.randomUUID()));
        try {
            try (OutputStream out = Files.newOutputStream(part, StandardOpenOption.CREATE_NEW)) {
                api.download(path, out);
            }
            Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failure) {
            throw failed(target.toString(), failure);
        } finally {
            deleteIfThere(part);
        }
    }

    private static void deleteIfThere(Path part) {
        try {
            Files.deleteIfExists(part);
        } catch (IOException failure) {
            throw failed(part.toString(), failure);
        }
    }

    private static LabFailure failed(String target, IOException failure) {
        return new LabFailure(
                "cannot write the model to %s: %s".formatted(target, LabFailure.reason(failure)),
                failure);
    }
}
