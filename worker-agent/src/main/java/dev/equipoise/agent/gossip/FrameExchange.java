package dev.equipoise.agent.gossip;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.Channel.Received;
import dev.equipoise.agent.channel.Content;
import dev.equipoise.agent.codec.Frame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Hands a rank the frames of its partners, who get its own. */
public final class FrameExchange {

    private static final int MOST_PARTNERS = 2;

    private final Channel channel;
    private final Mixtures mixtures;
    private final MemorySegment own;
    private final MemorySegment[] rooms = new MemorySegment[MOST_PARTNERS];
    private final Received[] received = new Received[MOST_PARTNERS];

    /**
     * Sets memory aside for this rank's frame and for those of its partners.
     *
     * @param schedule equal on all ranks, as is {@code mixing}
     * @param longestPayload in bytes
     * @param memory must outlive it
     */
    public FrameExchange(
            Channel channel, Schedule schedule, Mixing mixing, long longestPayload, Arena memory) {
        this.channel = channel;
        this.mixtures = new Mixtures(channel.rank(), channel.size(), schedule, mixing);
        this.own = memory.allocate(longestPayload, Float.BYTES);
        for (int i = 0; i < MOST_PARTNERS; i++) {
            rooms[i] = memory.allocate(longestPayload, Float.BYTES);
            received[i] = new Received(Content.PLAIN, 0);
        }
    }

    /** Where this rank writes its own payload before it exchanges. */
    public MemorySegment own() {
        return own;
    }

    /**
     * Sends the own frame, whose payload is the beginning of {@link #own}, and awaits the others.
     *
     * @param exchange counted from 0; equal on all ranks
     * @return what this rank makes of the frames
     * @throws dev.equipoise.agent.channel.ChannelFailed when a rank is lost
     */
    public Mixture exchange(Frame frame, long exchange) {
        Mixture mixture = mixtures.at(exchange);
        List<Integer> recipients = mixture.recipients();
        for (int i = 0; i < recipients.size(); i++) {
            channel.send(recipients.get(i), frame.content(), own, 0, frame.payload().byteSize());
        }
        for (int i = 0; i < mixture.parts().size(); i++) {
            received[i] = channel.receiveAtMost(mixture.parts().get(i).from(), rooms[i]);
        }
        for (int i = 0; i < recipients.size(); i++) {
            channel.awaitSent(recipients.get(i));
        }
        return mixture;
    }

    /** The frame of one of the mixture's parts, until the next exchange. */
    public Frame frame(int part) {
        return Frame.of(received[part].content(), rooms[part].asSlice(0, received[part].bytes()));
    }
}
