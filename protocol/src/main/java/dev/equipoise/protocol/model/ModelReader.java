package dev.equipoise.protocol.model;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a model file once, from its beginning to its end, through a small buffer: first the header,
 * then the tensors into the flat parameter vector of a network.
 */
public final class ModelReader {

    private static final int BUFFER_FLOATS = 1 << 14;

    private final InputStream in;
    private final SafetensorsHeader header;
    private final ByteBuffer buffer =
            ByteBuffer.allocate(BUFFER_FLOATS * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);

    private ModelReader(InputStream in, SafetensorsHeader header) {
        this.in = in;
        this.header = header;
    }

    /**
     * Reads the header.
     *
     * @param in remains open
     * @param fileBytes size of the whole file
     * @throws ModelFileInvalid if it is no safetensors file of float32 tensors
     * @throws IOException if the stream fails or ends early
     */
    public static ModelReader open(InputStream in, long fileBytes) throws IOException {
        return new ModelReader(in, SafetensorsHeader.read(in, fileBytes));
    }

    public SafetensorsHeader header() {
        return header;
    }

    /**
     * Checks that the file has exactly the tensors of a network, in any order, before memory is
     * allocated for them.
     *
     * @param tensors of the network, {@link ModelTensors#of}
     * @throws ModelFileInvalid if a tensor is missing, unknown or of another shape
     */
    public void requireTensors(List<ModelTensor> tensors) {
        matched(tensors);
    }

    /**
     * Reads all tensors into the flat parameter vector. The tensors of the file may have any order;
     * their names and shapes must be those of the network.
     *
     * @param tensors of the network, {@link ModelTensors#of}
     * @param parameters the flat parameter vector, float32, which is overwritten
     * @throws ModelFileInvalid if a tensor is missing, unknown or of another shape; the vector is
     *     unchanged then
     * @throws IOException if the stream fails or ends early
     */
    public void readInto(List<ModelTensor> tensors, MemorySegment parameters) throws IOException {
        List<ModelTensor> inOrder = matched(tensors);
        Map<ModelTensor, FloatBuffer> addends = new LinkedHashMap<>();
        for (ModelTensor tensor : inOrder) {
            if (tensor.isAddend()) {
                addends.put(tensor, readAll(tensor));
            } else {
                read(tensor, parameters);
            }
        }
        addends.forEach((tensor, elements) -> tensor.scatter(elements, 0, parameters));
    }

    private FloatBuffer readAll(ModelTensor tensor) throws IOException {
        FloatBuffer elements = FloatBuffer.allocate(Math.toIntExact(tensor.elements()));
        while (elements.hasRemaining()) {
            elements.put(next(elements.remaining()));
        }
        return elements.flip();
    }

    private void read(ModelTensor tensor, MemorySegment parameters) throws IOException {
        long element = 0;
        while (element < tensor.elements()) {
            FloatBuffer next = next(tensor.elements() - element);
            int count = next.remaining();
            tensor.scatter(next, element, parameters);
            element += count;
        }
    }

    /** Reads the next elements, as many as the buffer holds. */
    private FloatBuffer next(long most) throws IOException {
        int bytes = Float.BYTES * (int) Math.min(BUFFER_FLOATS, most);
        int read = in.readNBytes(buffer.array(), 0, bytes);
        if (read < bytes) {
            throw new EOFException("the file ends within its tensors");
        }
        return buffer.clear().limit(bytes).asFloatBuffer();
    }

    /** Returns the tensors of the network in the order of the file. */
    private List<ModelTensor> matched(List<ModelTensor> tensors) {
        Map<String, ModelTensor> missing = new LinkedHashMap<>();
        tensors.forEach(tensor -> missing.put(tensor.name(), tensor));
        List<ModelTensor> inOrder = new ArrayList<>();
        for (TensorEntry entry : header.tensors()) {
            inOrder.add(matched(entry, missing.remove(entry.name())));
        }
        if (!missing.isEmpty()) {
            throw new ModelFileInvalid(
                    "the file lacks the tensors %s of the network".formatted(missing.keySet()));
        }
        return inOrder;
    }

    private static ModelTensor matched(TensorEntry entry, @Nullable ModelTensor tensor) {
        if (tensor == null) {
            throw new ModelFileInvalid(
                    "the file has the tensor %s, which the network does not have"
                            .formatted(entry.name()));
        }
        if (!tensor.entry().equals(entry)) {
            throw new ModelFileInvalid(
                    "the tensor %s of the file has the shape %s, but the network's has %s"
                            .formatted(entry.name(), entry.shape(), tensor.shape()));
        }
        return tensor;
    }
}
