package dev.equipoise.agent.model;

import dev.equipoise.protocol.model.ModelFileInvalid;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Exports a trained model to the format of other programs. */
@Command(
        name = "export",
        description =
                "Exports the file of a trained model to ONNX, with its normalization: the graph"
                        + " takes raw values, and gives one score for each class.",
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class ExportCommand implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "MODEL", description = "file of a trained model")
    private Path model = Path.of("");

    @Option(
            names = "--onnx",
            paramLabel = "FILE",
            required = true,
            description = "ONNX file to write; replaces a file that exists")
    private Path onnx = Path.of("");

    @Override
    public Integer call() {
        try (TrainedModelFile file = TrainedModelFile.open(model);
                Arena memory = Arena.ofConfined()) {
            long floats = file.description().network().parameterCount();
            MemorySegment parameters = memory.allocate(Float.BYTES * floats, Float.BYTES);
            file.readInto(parameters);
            write(OnnxModel.of(file.description(), file.metadata()), parameters);
        } catch (ModelFileInvalid e) {
            throw new CommandFailed("%s: %s".formatted(model, e.getMessage()), e);
        } catch (IOException e) {
            throw CommandFailed.of(model, e);
        }
        return CommandLine.ExitCode.OK;
    }

    /** Writes beside the target first, so that a failure leaves no half of a file. */
    private void write(OnnxModel exported, MemorySegment parameters) {
        Path part = onnx.resolveSibling(onnx.getFileName() + ".part");
        try {
            requireOtherFile();
            OutputStream opened = Files.newOutputStream(part);
            try {
                try (OutputStream out = opened) {
                    exported.write(parameters, out);
                }
                Files.move(part, onnx, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(part);
            }
        } catch (NoSuchFileException e) {
            throw new CommandFailed("%s: its folder does not exist".formatted(onnx), e);
        } catch (IOException e) {
            throw CommandFailed.of(onnx, e);
        }
    }

    private void requireOtherFile() throws IOException {
        if (Files.isDirectory(onnx)) {
            throw new CommandFailed("%s: must be a file, but is a folder".formatted(onnx));
        }
        if (Files.exists(onnx) && Files.isSameFile(model, onnx)) {
            throw new CommandFailed(
                    "%s: is the model itself; write the export to another file".formatted(onnx));
        }
    }
}
