package dev.equipoise.agent.synchronization;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.PayloadType;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.instrument.TrafficKind;
import dev.equipoise.agent.order.ChoiceSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Passive side of AD-PSGD: answers requests in the order of arrival, until all active ranks have
 * left.
 */
final class PassivePairwiseAveraging implements PairwiseAveraging {

    static final byte MEET = 1;
    static final byte LEAVE = 2;

    private final Channel channel;
    private final SharedWeights shared;
    private final Instruments instruments;
    private final ChoiceSource decisions;
    private final MemorySegment requests;
    private final MemorySegment weights;
    private boolean hasBegun;

    /**
     * @param instruments of the background, like {@code decisions}
     * @param weights memory as long as the weights
     */
    PassivePairwiseAveraging(
            Channel channel,
            SharedWeights shared,
            Instruments instruments,
            ChoiceSource decisions,
            MemorySegment weights,
            Arena memory) {
        this.channel = channel;
        this.shared = shared;
        this.instruments = instruments;
        this.decisions = decisions;
        this.weights = weights;
        this.requests = memory.allocate(JAVA_BYTE, channel.size());
    }

    @Override
    public boolean isActive() {
        return false;
    }

    @Override
    public boolean isDue() {
        boolean another = !hasBegun;
        hasBegun = true;
        return another;
    }

    @Override
    public void average() {
        instruments.begin();
        int active = 0;
        for (int rank = 0; rank < channel.size(); rank += 2) {
            channel.receive(rank, requests, rank, 1);
            active++;
        }
        while (active > 0) {
            int rank = decisions.choose(channel::awaitAny);
            boolean hasReceived = channel.awaitReceivedOrLost(rank);
            instruments.end(Phase.WAIT);
            if (!hasReceived || requests.get(JAVA_BYTE, rank) == LEAVE) {
                active--;
            } else {
                averageWith(rank);
                instruments.end(Phase.TRANSFER);
                channel.receive(rank, requests, rank, 1);
            }
        }
        instruments.sent(TrafficKind.WEIGHTS);
    }

    /** Averages with an active rank, unless it is lost before its weights arrive. */
    private void averageWith(int rank) {
        channel.receive(rank, weights, 0, weights.byteSize());
        if (channel.awaitReceivedOrLost(rank)) {
            shared.average(weights, decisions);
            channel.send(rank, PayloadType.PLAIN, weights, 0, weights.byteSize());
            channel.awaitSent(rank);
        }
    }

    @Override
    public void leave() {
        throw new IllegalStateException("rank " + channel.rank() + " is passive");
    }

    @Override
    public void addTo(Instruments rankInstruments) {
        hasBegun = false;
        rankInstruments.add(instruments);
    }
}
