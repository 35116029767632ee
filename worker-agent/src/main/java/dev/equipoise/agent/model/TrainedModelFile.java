package dev.equipoise.agent.model;

import dev.equipoise.protocol.model.ModelFileInvalid;
import dev.equipoise.protocol.model.ModelReader;
import dev.equipoise.protocol.model.ModelTensor;
import dev.equipoise.protocol.model.ModelTensors;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Model file that was opened and whose description was read and checked. */
public final class TrainedModelFile implements AutoCloseable {

    private final InputStream in;
    private final ModelReader reader;
    private final ModelDescription description;
    private final List<ModelTensor> tensors;

    private TrainedModelFile(InputStream in, ModelReader reader, ModelDescription description) {
        this.in = in;
        this.reader = reader;
        this.description = description;
        this.tensors = ModelTensors.of(description.network());
    }

    /**
     * Opens a file and checks that its tensors are those of its network.
     *
     * @throws ModelFileInvalid if it is no model of this product
     * @throws IOException if it cannot be read
     */
    public static TrainedModelFile open(Path file) throws IOException {
        InputStream in = new BufferedInputStream(Files.newInputStream(file));
        try {
            ModelReader reader = ModelReader.open(in, Files.size(file));
            ModelDescription description = ModelDescription.of(reader.header().metadata());
            var model = new TrainedModelFile(in, reader, description);
            reader.requireTensors(model.tensors);
            return model;
        } catch (IOException | RuntimeException e) {
            in.close();
            throw e;
        }
    }

    public ModelDescription description() {
        return description;
    }

    /** Returns the texts of the file by name. */
    public Map<String, String> metadata() {
        return reader.header().metadata();
    }

    /** Returns the tensors in the order of the network's layers. */
    public List<ModelTensor> tensors() {
        return tensors;
    }

    /**
     * Reads the parameters, once.
     *
     * @param parameters flat parameter vector of the network, float32
     * @throws IOException if the file cannot be read to its end
     */
    public void readInto(MemorySegment parameters) throws IOException {
        reader.readInto(tensors, parameters);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
