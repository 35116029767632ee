package dev.equipoise.protocol.model;

import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Streams the safetensors file of a network from its flat parameter vector, through a small buffer.
 * One thread reads; no thread may write to the vector meanwhile.
 */
public final class ModelStream extends InputStream {

    private static final int BUFFER_FLOATS = 1 << 14;

    private final List<ModelTensor> tensors;
    private final MemorySegment parameters;
    private final long length;
    private final ByteBuffer data =
            ByteBuffer.allocate(BUFFER_FLOATS * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);

    /** Buffer with the next bytes. */
    private ByteBuffer current;

    private int tensor;
    private long element;

    /**
     * Creates a stream of a whole file.
     *
     * @param metadata of the header
     * @param tensors of the network, {@link ModelTensors#of}
     * @param parameters the flat parameter vector, float32
     * @throws ModelFileInvalid if the metadata are beyond the limit of a header
     */
    public ModelStream(
            Map<String, String> metadata, List<ModelTensor> tensors, MemorySegment parameters) {
        var header =
                new SafetensorsHeader(metadata, tensors.stream().map(ModelTensor::entry).toList());
        byte[] bytes = header.toBytes();
        this.tensors = List.copyOf(tensors);
        this.parameters = parameters;
        this.length = bytes.length + header.dataBytes();
        this.current = ByteBuffer.wrap(bytes);
    }

    /** Returns the size of the whole file, in bytes. */
    public long length() {
        return length;
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] target, int offset, int count) {
        if (count == 0) {
            return 0;
        }
        ByteBuffer next = next();
        if (next == null) {
            return -1;
        }
        int read = Math.min(count, next.remaining());
        next.get(target, offset, read);
        return read;
    }

    /** Returns a buffer with bytes, filled anew if it was empty; null at the end. */
    private @Nullable ByteBuffer next() {
        while (!current.hasRemaining() && tensor < tensors.size()) {
            fill(tensors.get(tensor));
        }
        return current.hasRemaining() ? current : null;
    }

    private void fill(ModelTensor from) {
        int floats = (int) Math.min(BUFFER_FLOATS, from.elements() - element);
        data.clear().limit(floats * Float.BYTES);
        from.gather(parameters, element, data.asFloatBuffer());
        current = data;
        element += floats;
        if (element == from.elements()) {
            tensor++;
            element = 0;
        }
    }
}
