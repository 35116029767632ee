package dev.equipoise.agent.gossip;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.Channel.Received;
import dev.equipoise.agent.channel.ChannelFailed;
import dev.equipoise.agent.channel.PayloadType;
import dev.equipoise.agent.codec.Frame;
import dev.equipoise.agent.gossip.MixingRow.Part;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Gossip exchange of frames: each rank sends its frame to its partners and receives theirs. */
public final class FrameExchange {

    private static final int MAX_PARTNERS = 2;

    private final Channel channel;
    private final MixingRows rows;
    private final Mixing mixing;
    private final MemorySegment own;
    private final MemorySegment[] buffers = new MemorySegment[MAX_PARTNERS];
    private final Received[] received = new Received[MAX_PARTNERS];

    /**
     * Allocates memory for this rank's frame and for those of its partners.
     *
     * @param schedule equal on all ranks, as is {@code mixing}
     * @param longestPayload in bytes
     * @param memory must outlive the exchange
     */
    public FrameExchange(
            Channel channel, Schedule schedule, Mixing mixing, long longestPayload, Arena memory) {
        this.channel = channel;
        this.rows = new MixingRows(channel, schedule, mixing);
        this.mixing = mixing;
        this.own = memory.allocate(longestPayload, Float.BYTES);
        for (int i = 0; i < MAX_PARTNERS; i++) {
            buffers[i] = memory.allocate(longestPayload, Float.BYTES);
            received[i] = new Received(PayloadType.PLAIN, 0);
        }
    }

    /** The buffer into which this rank writes its own payload before it exchanges. */
    public MemorySegment own() {
        return own;
    }

    /**
     * Sends this rank's frame, whose payload is the beginning of {@link #own}, and receives the
     * frames of its partners; if the channel tolerates losses, of the remaining partners only.
     *
     * @param exchange number of the exchange, from 0; equal on all ranks
     * @return the mixing row by which this rank combines the received frames
     * @throws dev.equipoise.agent.channel.ChannelFailed when a rank is lost and the channel does
     *     not tolerate losses
     */
    public MixingRow exchange(Frame frame, long exchange) {
        MixingRow row = rows.at(exchange);
        List<Integer> recipients = row.recipients();
        for (int i = 0; i < recipients.size(); i++) {
            channel.send(recipients.get(i), frame.content(), own, 0, frame.payload().byteSize());
        }
        int arrived = receive(row.parts());
        for (int i = 0; i < recipients.size(); i++) {
            channel.awaitSent(recipients.get(i));
        }
        return arrived == row.parts().size() ? row : mixing.without(row, channel::isLost);
    }

    /**
     * Receives the frames into the first buffers, without those of lost ranks; returns their
     * number.
     */
    private int receive(List<Part> parts) {
        int arrived = 0;
        for (int i = 0; i < parts.size(); i++) {
            int from = parts.get(i).from();
            try {
                received[arrived] = channel.receiveAtMost(from, buffers[arrived]);
                arrived++;
            } catch (ChannelFailed lost) {
                if (!channel.isLost(from)) {
                    throw lost;
                }
            }
        }
        return arrived;
    }

    /** The frame of a part of the mixing row, valid until the next exchange. */
    public Frame frame(int part) {
        return Frame.of(received[part].content(), buffers[part].asSlice(0, received[part].bytes()));
    }
}
