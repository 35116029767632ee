package dev.equipoise.agent.network.onednn;

import dev.equipoise.agent.network.step.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.dnnl.IntMemoryMap;
import org.bytedeco.dnnl.engine;
import org.bytedeco.dnnl.memory;
import org.bytedeco.dnnl.primitive;
import org.bytedeco.dnnl.primitive_desc_base;
import org.bytedeco.dnnl.reorder;
import org.bytedeco.dnnl.stream;
import org.bytedeco.javacpp.Pointer;

/**
 * Native objects of one program. JavaCPP frees what the garbage collector finds unreachable, so
 * this keeps them all; closing frees them at once. On the CPU a primitive has finished when the
 * call returns.
 */
final class Natives implements AutoCloseable {
    private static final engine CPU = new engine(engine.kind.cpu, 0);

    private final stream queue = new stream(CPU);
    private final List<Pointer> kept = new ArrayList<>();

    static engine cpu() {
        return CPU;
    }

    /** Returns a layout in the order of the tag. */
    static memory.desc layout(memory.format_tag tag, long... dimensions) {
        return new memory.desc(dimensions, memory.data_type.f32, tag);
    }

    <P extends Pointer> P keep(P pointer) {
        kept.add(pointer);
        return pointer;
    }

    /** Views the tensor's memory in a layout of the same size. */
    Block block(memory.desc layout, Tensor tensor) {
        return block(layout, tensor.memory());
    }

    /** Views native memory of another owner in a layout of the same size. */
    Block block(memory.desc layout, MemorySegment segment) {
        if (layout.get_size() != segment.byteSize()) {
            throw new IllegalArgumentException(
                    "the layout takes %d bytes, but the memory has %d"
                            .formatted(layout.get_size(), segment.byteSize()));
        }
        return block(layout, keep(new Address(segment.address())));
    }

    /** Views memory that is kept elsewhere. */
    Block block(memory.desc layout, Pointer start) {
        return new Block(keep(layout), keep(new memory(layout, CPU, start)));
    }

    /**
     * Returns the argument for a tensor that a primitive reads or writes; {@code kind} is a
     * DNNL_ARG constant.
     */
    Argument argument(int kind, memory.desc layout, Tensor tensor) {
        return new Argument(kind, block(layout, tensor));
    }

    /** Allocates memory for a layout. */
    Block allocate(memory.desc layout) {
        return new Block(keep(layout), keep(new memory(layout, CPU)));
    }

    Runnable bind(primitive_desc_base description, primitive operation, Argument... arguments) {
        keep(description);
        keep(operation);
        IntMemoryMap map = keep(new IntMemoryMap());
        for (Argument argument : arguments) {
            map.put(argument.kind(), argument.block().storage());
        }
        return () -> operation.execute(queue, map);
    }

    Runnable copy(Block from, Block to) {
        reorder move = keep(new reorder(from.storage(), to.storage()));
        return () -> move.execute(queue, from.storage(), to.storage());
    }

    /**
     * Returns the content in another layout; unless that is the same memory, the program refreshes
     * the copy.
     */
    Block reordered(Block plain, memory.desc layout, List<Runnable> program) {
        if (plain.hasLayout(layout)) {
            return plain;
        }
        Block copy = allocate(layout);
        program.add(copy(plain, copy));
        return copy;
    }

    static void run(List<Runnable> program) {
        for (int i = 0; i < program.size(); i++) {
            program.get(i).run();
        }
    }

    @Override
    public void close() {
        kept.reversed().forEach(Pointer::close);
        kept.clear();
        queue.close();
    }

    /** Memory with a layout. */
    record Block(memory.desc layout, memory storage) {

        boolean hasLayout(memory.desc other) {
            return layout.equals(other);
        }
    }

    /**
     * Argument of a primitive.
     *
     * @param kind one of the DNNL_ARG constants
     */
    record Argument(int kind, Block block) {}

    /** Pointer to memory that it does not own. */
    private static final class Address extends Pointer {
        Address(long address) {
            this.address = address;
        }
    }
}
