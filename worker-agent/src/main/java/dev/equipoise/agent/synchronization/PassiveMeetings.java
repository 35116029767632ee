package dev.equipoise.agent.synchronization;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.Content;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Kind;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.agent.order.Decisions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Answers whoever asks, in the order in which they come, until all active ranks have left. */
final class PassiveMeetings implements Meetings {

    static final byte MEET = 1;
    static final byte LEAVE = 2;

    private final Channel channel;
    private final SharedWeights shared;
    private final Instruments instruments;
    private final Decisions decisions;
    private final MemorySegment questions;
    private final MemorySegment weights;
    private boolean hasBegun;

    /**
     * @param instruments of the background, as are {@code decisions}
     * @param weights what it computes in, as long as the weights
     */
    PassiveMeetings(
            Channel channel,
            SharedWeights shared,
            Instruments instruments,
            Decisions decisions,
            MemorySegment weights,
            Arena memory) {
        this.channel = channel;
        this.shared = shared;
        this.instruments = instruments;
        this.decisions = decisions;
        this.weights = weights;
        this.questions = memory.allocate(JAVA_BYTE, channel.size());
    }

    @Override
    public boolean isActive() {
        return false;
    }

    @Override
    public boolean beginsAnother() {
        boolean another = !hasBegun;
        hasBegun = true;
        return another;
    }

    @Override
    public void go() {
        instruments.begin();
        int active = 0;
        for (int rank = 0; rank < channel.size(); rank += 2) {
            channel.receive(rank, questions, rank, 1);
            active++;
        }
        while (active > 0) {
            int rank = decisions.choose(channel::awaitAny);
            boolean hasSpoken = channel.awaitReceivedOrLost(rank);
            instruments.end(Phase.WAIT);
            if (!hasSpoken || questions.get(JAVA_BYTE, rank) == LEAVE) {
                active--;
            } else {
                meet(rank);
                instruments.end(Phase.TRANSFER);
                channel.receive(rank, questions, rank, 1);
            }
        }
        instruments.sent(Kind.WEIGHTS);
    }

    /** Who is lost before its weights are there has not been met. */
    private void meet(int rank) {
        channel.receive(rank, weights, 0, weights.byteSize());
        if (channel.awaitReceivedOrLost(rank)) {
            shared.average(weights, decisions);
            channel.send(rank, Content.PLAIN, weights, 0, weights.byteSize());
            channel.awaitSent(rank);
        }
    }

    @Override
    public void leave() {
        throw new IllegalStateException("rank " + channel.rank() + " begins no meetings");
    }

    @Override
    public void tell(Instruments ofRank) {
        hasBegun = false;
        ofRank.add(instruments);
    }
}
