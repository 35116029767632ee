package dev.equipoise.agent.network.nd4j;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.network.step.Device;
import dev.equipoise.agent.network.step.Tensor;
import java.lang.foreign.MemorySegment;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.Pointer;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.concurrency.AffinityManager.Location;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** Tensor as an operand of ND4J's operations. */
interface Operand extends AutoCloseable {

    static Operand on(Device device, Tensor tensor) {
        return switch (device) {
            case CPU -> InPlace.of(tensor);
            case CUDA -> Copied.of(tensor);
        };
    }

    INDArray array();

    /** Copies the tensor to the device, before an operation that reads it. */
    void send();

    /** Copies the result back, after an operation that wrote it. */
    void fetch();

    @Override
    void close();

    private static long[] shape(Tensor tensor) {
        return tensor.shape().stream().mapToLong(Long::longValue).toArray();
    }

    /** Operand whose array lies in the tensor's own memory, which outlives it. */
    record InPlace(INDArray array) implements Operand {

        static InPlace of(Tensor tensor) {
            var start =
                    new FloatPointer(new Address(tensor.memory().address()))
                            .capacity(tensor.length());
            return new InPlace(
                    Nd4j.create(
                            Nd4j.createBuffer(start, tensor.length(), DataType.FLOAT),
                            Operand.shape(tensor)));
        }

        @Override
        public void send() {}

        @Override
        public void fetch() {}

        @Override
        public void close() {}
    }

    /**
     * Operand whose array belongs to ND4J, with copies on device and host. ND4J knows which copy is
     * newer if it is told what the host writes.
     */
    record Copied(INDArray array, MemorySegment memory) implements Operand {

        static Copied of(Tensor tensor) {
            return new Copied(
                    Nd4j.create(DataType.FLOAT, Operand.shape(tensor), 'c'), tensor.memory());
        }

        @Override
        public void send() {
            hostCopy().copyFrom(memory);
            Nd4j.getAffinityManager().tagLocation(array, Location.HOST);
        }

        @Override
        public void fetch() {
            memory.copyFrom(hostCopy());
        }

        /** Returns the host's copy, updated from the device. */
        @SuppressWarnings("restricted") // Address and length come from the array.
        private MemorySegment hostCopy() {
            Nd4j.getAffinityManager().ensureLocation(array, Location.HOST);
            return MemorySegment.ofAddress(array.data().addressPointer().address())
                    .reinterpret(JAVA_FLOAT.scale(0, array.length()));
        }

        @Override
        public void close() {
            array.close();
        }
    }

    /** Pointer to memory that it does not own. */
    final class Address extends Pointer {
        Address(long address) {
            this.address = address;
        }
    }
}
