package dev.equipoise.agent.model;

import dev.equipoise.protocol.model.ModelTensor;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Constant tensor of a graph, a TensorProto.
 *
 * @param header fields of the TensorProto up to the data, which end it
 * @param bytes size of the data
 * @param data writes them
 */
record OnnxInitializer(ProtoMessage header, long bytes, Data data) {

    static final int FLOAT = 1;
    static final int INT64 = 7;

    private static final int DIMENSIONS = 1;
    private static final int DATA_TYPE = 2;
    private static final int NAME = 8;
    private static final int RAW_DATA = 9;
    private static final int BUFFER_FLOATS = 1 << 14;

    /** Writes data in the order of the tensor, little-endian. */
    @FunctionalInterface
    interface Data {

        void write(MemorySegment parameters, OutputStream out) throws IOException;
    }

    /** Returns a tensor of the network. */
    static OnnxInitializer of(ModelTensor tensor) {
        List<Long> shape = tensor.shape().stream().map(Integer::longValue).toList();
        return of(
                tensor.name(),
                FLOAT,
                shape,
                tensor.elements() * Float.BYTES,
                (parameters, out) -> write(tensor, parameters, out));
    }

    private static void write(ModelTensor tensor, MemorySegment parameters, OutputStream out)
            throws IOException {
        ByteBuffer buffer =
                ByteBuffer.allocate(BUFFER_FLOATS * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        long element = 0;
        while (element < tensor.elements()) {
            int count = (int) Math.min(BUFFER_FLOATS, tensor.elements() - element);
            buffer.clear().limit(count * Float.BYTES);
            tensor.gather(parameters, element, buffer.asFloatBuffer());
            out.write(buffer.array(), 0, count * Float.BYTES);
            element += count;
        }
    }

    /** Returns a vector of integers. */
    static OnnxInitializer integers(String name, long... values) {
        ByteBuffer data =
                ByteBuffer.allocate(values.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (long value : values) {
            data.putLong(value);
        }
        List<Long> shape = List.of((long) values.length);
        return of(name, INT64, shape, data.capacity(), (_, out) -> out.write(data.array()));
    }

    /** Returns a tensor of floats, row-major. */
    static OnnxInitializer floats(String name, List<Long> shape, List<Double> values) {
        ByteBuffer data =
                ByteBuffer.allocate(values.size() * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        values.forEach(value -> data.putFloat(value.floatValue()));
        return of(name, FLOAT, shape, data.capacity(), (_, out) -> out.write(data.array()));
    }

    private static OnnxInitializer of(
            String name, int type, List<Long> shape, long bytes, Data data) {
        var header = new ProtoMessage();
        shape.forEach(size -> header.number(DIMENSIONS, size));
        header.number(DATA_TYPE, type).text(NAME, name).start(RAW_DATA, bytes);
        return new OnnxInitializer(header, bytes, data);
    }

    /** Returns the size of the TensorProto, in bytes. */
    long size() {
        return header.size() + bytes;
    }
}
