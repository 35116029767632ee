package dev.equipoise.agent.network.step;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.NDArrayIndex;

/**
 * One block of native float32 memory, row-major, seen by ND4J as an array and by Java as memory.
 */
public record Tensor(INDArray array, MemorySegment memory) {

    /** Lives until the arena is closed; the arena keeps ND4J's collector away from it. */
    public static Tensor zeros(Arena arena, long... shape) {
        INDArray array = Nd4j.create(DataType.FLOAT, shape, 'c');
        return new Tensor(array, memoryOf(array, arena));
    }

    @SuppressWarnings("restricted") // Address and length come from the array that owns the memory.
    private static MemorySegment memoryOf(INDArray array, Arena arena) {
        return MemorySegment.ofAddress(array.data().addressPointer().address())
                .reinterpret(array.length() * JAVA_FLOAT.byteSize(), arena, _ -> array.close());
    }

    /** The same memory from {@code from} on, in floats, in another shape. */
    public Tensor view(long from, long... shape) {
        long length = 1;
        for (long side : shape) {
            length *= side;
        }
        INDArray flat = array.reshape('c', new long[] {array.length()});
        return new Tensor(
                flat.get(NDArrayIndex.interval(from, from + length)).reshape('c', shape),
                memory.asSlice(JAVA_FLOAT.scale(0, from), JAVA_FLOAT.scale(0, length)));
    }

    public Tensor reshape(long... shape) {
        return view(0, shape);
    }

    public int length() {
        return Math.toIntExact(array.length());
    }
}
