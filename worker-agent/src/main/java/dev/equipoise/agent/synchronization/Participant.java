package dev.equipoise.agent.synchronization;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.checkpoint.Remembered;
import dev.equipoise.agent.codec.Words;
import dev.equipoise.agent.dataset.EpochShards;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Tracing;
import dev.equipoise.agent.network.ParameterBlock;
import dev.equipoise.agent.optimizer.Descent;
import dev.equipoise.agent.optimizer.Optimizer;
import dev.equipoise.agent.optimizer.Stepper;
import dev.equipoise.agent.order.EventOrder;
import dev.equipoise.agent.time.Background;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * One rank that takes part in a training, with all that it takes part by.
 *
 * @param shards who takes what of each epoch
 * @param background a second thread, for exchanges that go on while the rank computes
 * @param order in which its threads decide
 * @param weights of the rank's network, float32; all ranks begin with the same
 * @param blocks where each layer's weights lie
 * @param words of what the rank has learnt; it sees them itself
 * @param remembered all that it must have to go on elsewhere, besides the weights
 * @param descent a faster way to make plain steps
 * @param memory what it computes in; outlives the training
 */
public record Participant(
        TrainingPlan plan,
        EpochShards shards,
        Channel channel,
        Time time,
        Background background,
        EventOrder order,
        Instruments instruments,
        MemorySegment weights,
        List<ParameterBlock> blocks,
        Words words,
        Remembered remembered,
        Optional<Descent> descent,
        Arena memory) {

    /** The same rank, computing in other memory, of which nothing is noted. */
    Participant rehearsing(Arena other) {
        return new Participant(
                plan,
                shards,
                channel,
                time,
                background,
                EventOrder.FREE,
                instruments,
                weights,
                blocks,
                words,
                new Remembered(),
                descent,
                other);
    }

    long elements() {
        return weights.byteSize() / Float.BYTES;
    }

    int rank() {
        return channel.rank();
    }

    /** The ranks that train; those before them serve. */
    List<Integer> replicas() {
        return IntStream.range(servers(), channel.size()).boxed().toList();
    }

    int servers() {
        return plan.method().topology().servers();
    }

    boolean isAlone() {
        return channel.size() == 1;
    }

    /** For what goes on in the background. */
    Instruments instrumentsOfBackground() {
        return new Instruments(time, channel, Tracing.mostSlices(plan));
    }

    /** Zeros, as long as the weights. */
    MemorySegment vector() {
        return memory.allocate(JAVA_FLOAT, elements());
    }

    /** The plan's optimizer, on these weights. */
    public Stepper stepper(MemorySegment stepped) {
        Optimizer optimizer =
                Optimizer.of(plan.optimizer(), plan.division().rounds(), plan.epochs(), descent);
        return remembering(new Stepper(optimizer, stepped, memory));
    }

    /** The same, which goes on where another has stopped. */
    Stepper remembering(Stepper stepper) {
        stepper.memories().forEach(remembered::vector);
        remembered.number(() -> stepper.state().steps(), stepper::resume);
        return stepper;
    }
}
