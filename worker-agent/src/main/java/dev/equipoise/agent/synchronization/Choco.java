package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.checkpoint.Remembered;
import dev.equipoise.agent.codec.Frame;
import dev.equipoise.agent.collective.FloatScale;
import dev.equipoise.agent.collective.FloatSum;
import dev.equipoise.agent.gossip.FrameExchange;
import dev.equipoise.agent.gossip.Mixing;
import dev.equipoise.agent.gossip.Mixture;
import dev.equipoise.agent.gossip.Schedule;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Kind;
import dev.equipoise.agent.instrument.Phase;
import dev.equipoise.protocol.AgentEvent.Strand;
import dev.equipoise.protocol.Compression;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/*
 * Koloskova, Stich and Jaggi 2019, Decentralized stochastic optimization and gossip algorithms with
 * compressed communication, arXiv 1902.00340, algorithm 2:
 *
 *   q_i = C(x_i - xhat_i),   xhat_j += q_j,   x_i += gamma sum_j K_ij (xhat_j - xhat_i)
 *
 * Each keeps a copy xhat_j of what every neighbour has told of itself, so that the neighbours must
 * stay the same. Theorem 2 wants gamma small where C is coarse. Its own bound is far too careful in
 * practice (their section 5 tunes it); here it is the root of the fraction where C selects a fraction,
 * and a half otherwise.
 */
/** Gossip of weights of which only the coded change travels, to neighbours that stay the same. */
final class Choco implements Agreement {

    private final FrameExchange frames;
    private final FrameCoder coding;
    private final int rank;
    private final float gamma;
    private final Instruments instruments;
    private final FloatScale scale = FloatScale.fastest();
    private final FloatSum sum = FloatSum.fastest();
    private final MemorySegment change;

    /** What all know of this rank, and what this rank knows of each neighbour. */
    private final MemorySegment known;

    private final List<MemorySegment> knownOfOthers;
    private long exchange;

    private Choco(
            FrameExchange frames,
            FrameCoder coding,
            int rank,
            float gamma,
            Instruments instruments,
            MemorySegment change,
            MemorySegment known,
            List<MemorySegment> knownOfOthers,
            Remembered remembered) {
        this.frames = frames;
        this.coding = coding;
        this.rank = rank;
        this.gamma = gamma;
        this.instruments = instruments;
        this.change = change;
        this.known = known;
        this.knownOfOthers = knownOfOthers;
        remembered.vector(known);
        knownOfOthers.forEach(remembered::vector);
        remembered.number(() -> exchange, it -> exchange = it);
    }

    /** All ranks begin with the same weights, which everybody knows. */
    static Choco of(
            Participant participant, Schedule schedule, Mixing mixing, Compression compression) {
        var summations = new Summations(participant, participant.instruments(), Strand.MAIN);
        FrameCoder coding = summations.codingWithoutFeedback(compression);
        return new Choco(
                new FrameExchange(
                        participant.channel(),
                        schedule,
                        mixing,
                        summations.largestPayload(coding.codec()),
                        participant.memory()),
                coding,
                participant.rank(),
                gamma(compression),
                participant.instruments(),
                participant.vector(),
                participant.vector().copyFrom(participant.weights()),
                IntStream.range(0, 2)
                        .mapToObj(_ -> participant.vector().copyFrom(participant.weights()))
                        .toList(),
                participant.remembered());
    }

    private static float gamma(Compression compression) {
        return switch (compression) {
            case Compression.TopK(double fraction, var _) -> (float) Math.sqrt(fraction);
            case Compression.AdaptiveThreshold(double fraction, var _) ->
                    (float) Math.sqrt(fraction);
            default -> 0.5f;
        };
    }

    @Override
    public void on(MemorySegment weights, double portion) {
        scale.scale(known, -1, change);
        sum.add(change, 0, weights, 0, weights.byteSize());
        instruments.end(Phase.APPLY);
        Frame own = coding.encode(change, frames.own());
        coding.add(own, rank, 1, known);
        instruments.end(Phase.ENCODE);
        Mixture mixture = frames.exchange(own, exchange++);
        instruments.endExchange(Kind.WEIGHTS, mixture.participants(rank));
        for (int i = 0; i < mixture.parts().size(); i++) {
            Mixture.Part part = mixture.parts().get(i);
            coding.add(frames.frame(i), part.from(), 1, knownOfOthers.get(i));
            instruments.end(Phase.ENCODE);
            drawTowards(knownOfOthers.get(i), gamma * (float) part.weight(), weights);
        }
        instruments.end(Phase.APPLY);
    }

    private void drawTowards(MemorySegment other, float factor, MemorySegment weights) {
        scale.scale(other, factor, change);
        sum.add(weights, 0, change, 0, change.byteSize());
        scale.scale(known, -factor, change);
        sum.add(weights, 0, change, 0, change.byteSize());
    }
}
