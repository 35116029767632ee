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
import java.util.SplittableRandom;

/**
 * Asks a passive rank, drawn anew each time: tells it the own weights and goes along to the mean.
 */
final class ActiveMeetings implements Meetings {

    private final Channel channel;
    private final SharedWeights shared;
    private final Instruments instruments;
    private final Decisions decisions;
    private final SplittableRandom draws;
    private long drawnSoFar;
    private final MemorySegment question;
    private final MemorySegment told;
    private final MemorySegment mean;

    /**
     * @param instruments of the background, as are {@code decisions}
     * @param told what it computes in, as long as the weights, as is {@code mean}
     */
    ActiveMeetings(
            Channel channel,
            SharedWeights shared,
            Instruments instruments,
            Decisions decisions,
            long seed,
            MemorySegment told,
            MemorySegment mean,
            Arena memory) {
        this.channel = channel;
        this.shared = shared;
        this.instruments = instruments;
        this.decisions = decisions;
        this.draws = new SplittableRandom(new SplittableRandom(seed).nextLong() + channel.rank());
        this.told = told;
        this.mean = mean;
        this.question = memory.allocate(JAVA_BYTE);
    }

    @Override
    public boolean isActive() {
        return true;
    }

    @Override
    public boolean beginsAnother() {
        return true;
    }

    @Override
    public void go() {
        instruments.begin();
        int neighbour = drawNeighbour();
        if (!channel.isLost(neighbour)) {
            meet(neighbour);
        }
        instruments.end(Phase.TRANSFER);
        instruments.sent(Kind.WEIGHTS);
    }

    /** Another one in place of one that is lost, if there is any. */
    private int drawNeighbour() {
        int passive = channel.size() / 2;
        int drawn = draws.nextInt(passive);
        drawnSoFar++;
        for (int i = 0; i < passive && channel.isLost(neighbour(drawn)); i++) {
            drawn = (drawn + 1) % passive;
        }
        return neighbour(drawn);
    }

    private static int neighbour(int passive) {
        return 2 * passive + 1;
    }

    /** Who is lost meanwhile has not been met: the weights stay where they are. */
    private void meet(int neighbour) {
        shared.copyTo(told, decisions);
        channel.receive(neighbour, mean, 0, mean.byteSize());
        ask(neighbour, PassiveMeetings.MEET);
        channel.send(neighbour, Content.PLAIN, told, 0, told.byteSize());
        boolean hasCome = channel.awaitReceivedOrLost(neighbour);
        channel.awaitSent(neighbour);
        if (hasCome) {
            shared.move(told, mean, decisions);
        }
    }

    @Override
    public void leave() {
        instruments.begin();
        for (int neighbour = 1; neighbour < channel.size(); neighbour += 2) {
            ask(neighbour, PassiveMeetings.LEAVE);
            channel.awaitSent(neighbour);
        }
        instruments.sent(Kind.CONTROL);
    }

    private void ask(int neighbour, byte what) {
        question.set(JAVA_BYTE, 0, what);
        channel.send(neighbour, Content.PLAIN, question, 0, 1);
    }

    @Override
    public long drawn() {
        return drawnSoFar;
    }

    @Override
    public void resumeAfter(long drawn) {
        while (drawnSoFar < drawn) {
            draws.nextInt(channel.size() / 2);
            drawnSoFar++;
        }
    }

    @Override
    public void tell(Instruments ofRank) {
        ofRank.add(instruments);
    }
}
