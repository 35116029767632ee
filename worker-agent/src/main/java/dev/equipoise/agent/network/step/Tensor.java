package dev.equipoise.agent.network.step;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.LongStream;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.NDArrayIndex;

/**
 * One block of native float32 memory, row-major, seen by ND4J as an array and by Java as memory.
 */
public record Tensor(INDArray array, MemorySegment memory) {

    /** A cache line: a product of matrices that start elsewhere takes up to 1.7 times as long. */
    private static final int ALIGNMENT = 64;

    /**
     * Starts on a cache line and lives until the arena is closed, which keeps ND4J's collector away
     * from it.
     */
    public static Tensor zeros(Arena arena, long... shape) {
        long most = length(shape) + ALIGNMENT / Float.BYTES - 1;
        INDArray room = Nd4j.create(DataType.FLOAT, new long[] {most}, 'c');
        MemorySegment memory = memoryOf(room, arena);
        long gap = Math.floorMod(-memory.address(), ALIGNMENT);
        return new Tensor(room, memory).view(gap / Float.BYTES, shape);
    }

    @SuppressWarnings("restricted") // Address and length come from the array that owns the memory.
    private static MemorySegment memoryOf(INDArray array, Arena arena) {
        return MemorySegment.ofAddress(array.data().addressPointer().address())
                .reinterpret(array.length() * JAVA_FLOAT.byteSize(), arena, _ -> array.close());
    }

    /** The same memory from {@code from} on, in floats, in another shape. */
    public Tensor view(long from, long... shape) {
        long length = length(shape);
        INDArray flat = array.reshape('c', new long[] {array.length()});
        return new Tensor(
                flat.get(NDArrayIndex.interval(from, from + length)).reshape('c', shape),
                memory.asSlice(JAVA_FLOAT.scale(0, from), JAVA_FLOAT.scale(0, length)));
    }

    public Tensor reshape(long... shape) {
        return view(0, shape);
    }

    private static long length(long... shape) {
        return LongStream.of(shape).reduce(1, Math::multiplyExact);
    }

    public int length() {
        return Math.toIntExact(array.length());
    }
}
