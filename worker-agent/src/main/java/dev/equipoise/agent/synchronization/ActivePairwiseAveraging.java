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
import java.util.SplittableRandom;

/**
 * Active side of AD-PSGD: sends the weights to a random passive rank, and moves them by the change
 * to the mean.
 */
final class ActivePairwiseAveraging implements PairwiseAveraging {

    private final Channel channel;
    private final SharedWeights shared;
    private final Instruments instruments;
    private final ChoiceSource decisions;
    private final SplittableRandom draws;
    private long drawCount;
    private final MemorySegment request;
    private final MemorySegment sentWeights;
    private final MemorySegment mean;

    /**
     * @param instruments of the background, like {@code decisions}
     * @param sentWeights memory as long as the weights, like {@code mean}
     */
    ActivePairwiseAveraging(
            Channel channel,
            SharedWeights shared,
            Instruments instruments,
            ChoiceSource decisions,
            long seed,
            MemorySegment sentWeights,
            MemorySegment mean,
            Arena memory) {
        this.channel = channel;
        this.shared = shared;
        this.instruments = instruments;
        this.decisions = decisions;
        this.draws = new SplittableRandom(new SplittableRandom(seed).nextLong() + channel.rank());
        this.sentWeights = sentWeights;
        this.mean = mean;
        this.request = memory.allocate(JAVA_BYTE);
    }

    @Override
    public boolean isActive() {
        return true;
    }

    @Override
    public boolean isDue() {
        return true;
    }

    @Override
    public void average() {
        instruments.begin();
        int neighbor = drawNeighbor();
        if (!channel.isLost(neighbor)) {
            averageWith(neighbor);
        }
        instruments.end(Phase.TRANSFER);
        instruments.sent(TrafficKind.WEIGHTS);
    }

    /** Draws a passive rank; takes the next one for a lost rank, if any is left. */
    private int drawNeighbor() {
        int passive = channel.size() / 2;
        int drawn = draws.nextInt(passive);
        drawCount++;
        for (int i = 0; i < passive && channel.isLost(neighbor(drawn)); i++) {
            drawn = (drawn + 1) % passive;
        }
        return neighbor(drawn);
    }

    private static int neighbor(int passive) {
        return 2 * passive + 1;
    }

    /** Averages with a passive rank; if it is lost meanwhile, the weights stay unchanged. */
    private void averageWith(int neighbor) {
        shared.copyTo(sentWeights, decisions);
        channel.receive(neighbor, mean, 0, mean.byteSize());
        ask(neighbor, PassivePairwiseAveraging.MEET);
        channel.send(neighbor, PayloadType.PLAIN, sentWeights, 0, sentWeights.byteSize());
        boolean hasReceived = channel.awaitReceivedOrLost(neighbor);
        channel.awaitSent(neighbor);
        if (hasReceived) {
            shared.move(sentWeights, mean, decisions);
        }
    }

    @Override
    public void leave() {
        instruments.begin();
        for (int neighbor = 1; neighbor < channel.size(); neighbor += 2) {
            ask(neighbor, PassivePairwiseAveraging.LEAVE);
            channel.awaitSent(neighbor);
        }
        instruments.sent(TrafficKind.CONTROL);
    }

    private void ask(int neighbor, byte kind) {
        request.set(JAVA_BYTE, 0, kind);
        channel.send(neighbor, PayloadType.PLAIN, request, 0, 1);
    }

    @Override
    public long drawn() {
        return drawCount;
    }

    @Override
    public void resumeAfter(long drawn) {
        while (drawCount < drawn) {
            draws.nextInt(channel.size() / 2);
            drawCount++;
        }
    }

    @Override
    public void addTo(Instruments rankInstruments) {
        rankInstruments.add(instruments);
    }
}
