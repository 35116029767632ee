package dev.equipoise.agent.collective;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.equipoise.agent.channel.Channel;
import dev.equipoise.agent.channel.HostIdentity;
import dev.equipoise.agent.channel.PayloadType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Groups the ranks of a channel by host. */
final class RanksByHost {

    private RanksByHost() {}

    /**
     * Gathers the hosts of all ranks. All ranks must call this method at the same time, and all get
     * the same result.
     */
    static List<List<Integer>> of(Channel channel, Arena memory) {
        var gather = new FrameAllGather(channel, 2 * Long.BYTES, memory);
        UUID own = HostIdentity.local();
        gather.own().set(JAVA_LONG_UNALIGNED, 0, own.getMostSignificantBits());
        gather.own().set(JAVA_LONG_UNALIGNED, Long.BYTES, own.getLeastSignificantBits());
        gather.gather(PayloadType.PLAIN, 2 * Long.BYTES);
        Map<UUID, List<Integer>> hosts = new LinkedHashMap<>();
        for (int rank = 0; rank < channel.size(); rank++) {
            hosts.computeIfAbsent(identity(gather.payload(rank)), _ -> new ArrayList<>()).add(rank);
        }
        return List.copyOf(hosts.values());
    }

    private static UUID identity(MemorySegment payload) {
        return new UUID(
                payload.get(JAVA_LONG_UNALIGNED, 0), payload.get(JAVA_LONG_UNALIGNED, Long.BYTES));
    }
}
