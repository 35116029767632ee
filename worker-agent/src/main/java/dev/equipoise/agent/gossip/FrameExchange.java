package dev.equipoise.agent.gossip;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.Channel.Received;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.Content;
import dev.equipoise.agent.codec.Frame;
import dev.equipoise.agent.gossip.Mixture.Part;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Hands a rank the frames of its partners, who get its own. */
public final class FrameExchange {

    private static final int MOST_PARTNERS = 2;

    private final Channel channel;
    private final Mixtures mixtures;
    private final Mixing mixing;
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
        this.mixtures = new Mixtures(channel, schedule, mixing);
        this.mixing = mixing;
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
     * Sends the own frame, whose payload is the beginning of {@link #own}, and awaits the others;
     * where the channel bears losses, those that are left.
     *
     * @param exchange counted from 0; equal on all ranks
     * @return what this rank makes of the frames that have come
     * @throws dev.equipoise.agent.channel.ChannelFailed when a rank is lost, and that is not borne
     */
    public Mixture exchange(Frame frame, long exchange) {
        Mixture mixture = mixtures.at(exchange);
        List<Integer> recipients = mixture.recipients();
        for (int i = 0; i < recipients.size(); i++) {
            channel.send(recipients.get(i), frame.content(), own, 0, frame.payload().byteSize());
        }
        int come = receive(mixture.parts());
        for (int i = 0; i < recipients.size(); i++) {
            channel.awaitSent(recipients.get(i));
        }
        return come == mixture.parts().size() ? mixture : mixing.without(mixture, channel::isLost);
    }

    /** How many have come, the first ones of the rooms; those of lost ranks are left out. */
    private int receive(List<Part> parts) {
        int come = 0;
        for (int i = 0; i < parts.size(); i++) {
            int from = parts.get(i).from();
            try {
                received[come] = channel.receiveAtMost(from, rooms[come]);
                come++;
            } catch (ChannelFailed lost) {
                if (!channel.isLost(from)) {
                    throw lost;
                }
            }
        }
        return come;
    }

    /** The frame of one of the mixture's parts, until the next exchange. */
    public Frame frame(int part) {
        return Frame.of(received[part].content(), rooms[part].asSlice(0, received[part].bytes()));
    }
}
