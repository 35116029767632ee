package dev.equipoise.agent.synchronization;

import dev.equipoise.agent.channel.Content;
import dev.equipoise.agent.codec.Words;
import dev.equipoise.agent.collective.FrameGather;
import dev.equipoise.agent.instrument.Instruments;
import dev.equipoise.agent.instrument.Kind;
import dev.equipoise.agent.instrument.Phase;
import java.util.List;

/** Lets every rank tell of the words of all, so that all choose the same rows by them. */
final class WordsOfAll {

    private final Words words;
    private final FrameGather frames;
    private final int ranks;
    private final Instruments instruments;

    /**
     * @param frames with room for the words of any rank
     */
    WordsOfAll(Words words, FrameGather frames, int ranks, Instruments instruments) {
        this.words = words;
        this.frames = frames;
        this.ranks = ranks;
        this.instruments = instruments;
    }

    /** Every rank calls it. */
    void gather() {
        long bytes = words.write(frames.own());
        instruments.end(Phase.ENCODE);
        frames.gather(Content.PLAIN, bytes);
        instruments.endExchange(Kind.CONTROL, List.of());
        for (int rank = 0; rank < ranks; rank++) {
            words.tellAlso(frames.payload(rank));
        }
    }
}
