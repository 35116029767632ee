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

/** A tensor as one of ND4J's operations sees it. */
interface Operand extends AutoCloseable {

    static Operand on(Device device, Tensor tensor) {
        return switch (device) {
            case CPU -> InPlace.of(tensor);
            case CUDA -> Copied.of(tensor);
        };
    }

    INDArray array();

    /** Before an operation that reads it. */
    void send();

    /** After an operation that has written it. */
    void fetch();

    @Override
    void close();

    private static long[] shape(Tensor tensor) {
        return tensor.shape().stream().mapToLong(Long::longValue).toArray();
    }

    /** The array lies in the tensor's own memory, which outlives it. */
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
     * The array is ND4J's own, with a half on the device and another on the host. Of each half ND4J
     * knows whether it is the newer one, if it is told what the host writes.
     */
    record Copied(INDArray array, MemorySegment memory) implements Operand {

        static Copied of(Tensor tensor) {
            return new Copied(
                    Nd4j.create(DataType.FLOAT, Operand.shape(tensor), 'c'), tensor.memory());
        }

        @Override
        public void send() {
            hostHalf().copyFrom(memory);
            Nd4j.getAffinityManager().tagLocation(array, Location.HOST);
        }

        @Override
        public void fetch() {
            memory.copyFrom(hostHalf());
        }

        /** As new as the device's. */
        @SuppressWarnings("restricted") // Address and length come from the array.
        private MemorySegment hostHalf() {
            Nd4j.getAffinityManager().ensureLocation(array, Location.HOST);
            return MemorySegment.ofAddress(array.data().addressPointer().address())
                    .reinterpret(JAVA_FLOAT.scale(0, array.length()));
        }

        @Override
        public void close() {
            array.close();
        }
    }

    /** Memory that somebody else owns. */
    final class Address extends Pointer {
        Address(long address) {
            this.address = address;
        }
    }
}
