package dev.equipoise.agent.collective;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.Content;
import dev.equipoise.agent.channel.HostIdentity;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Which ranks share a machine. */
final class Machines {

    private Machines() {}

    /** Asks all ranks; every rank must ask at once, and all get the same answer. */
    static List<List<Integer>> of(Channel channel, Arena memory) {
        var gather = new FrameGather(channel, 2 * Long.BYTES, memory);
        UUID own = HostIdentity.local();
        gather.own().set(JAVA_LONG_UNALIGNED, 0, own.getMostSignificantBits());
        gather.own().set(JAVA_LONG_UNALIGNED, Long.BYTES, own.getLeastSignificantBits());
        gather.gather(Content.PLAIN, 2 * Long.BYTES);
        Map<UUID, List<Integer>> machines = new LinkedHashMap<>();
        for (int rank = 0; rank < channel.size(); rank++) {
            machines.computeIfAbsent(identity(gather.payload(rank)), _ -> new ArrayList<>())
                    .add(rank);
        }
        return List.copyOf(machines.values());
    }

    private static UUID identity(MemorySegment payload) {
        return new UUID(
                payload.get(JAVA_LONG_UNALIGNED, 0), payload.get(JAVA_LONG_UNALIGNED, Long.BYTES));
    }
}
