package dev.equipoise.agent.collective;

import dev.equipoise.agent.channel.Channel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;

/**
 * For machines with several ranks each: the ranks of a machine share the sum out among them, each
 * sums its share with its like on the other machines, and all shares are handed round in the
 * machine. What crosses the network is what one rank a machine would send.
 */
public final class HierarchicalAllReduce implements AllReduce {

    private final Ring inside;
    private final Ring across;

    /**
     * @param machines the ranks of each machine; equal on all ranks
     * @throws TopologyImpossible unless there are as many ranks on each machine
     */
    public HierarchicalAllReduce(Channel channel, List<List<Integer>> machines, Arena memory) {
        List<Integer> own =
                machines.stream()
                        .filter(ranks -> ranks.contains(channel.rank()))
                        .findFirst()
                        .orElseThrow(() -> refused("every rank must have a machine", machines));
        if (machines.stream().anyMatch(ranks -> ranks.size() != own.size())) {
            throw refused("every machine must have as many ranks", machines);
        }
        if (machines.stream().flatMap(List::stream).distinct().count() != channel.size()
                || machines.size() * own.size() != channel.size()) {
            throw refused("every rank must have one machine", machines);
        }
        int place = own.indexOf(channel.rank());
        Stream<Integer> like = machines.stream().map(ranks -> ranks.get(place));
        this.inside = new Ring(channel, own, memory);
        this.across = new Ring(channel, like.toList(), memory);
    }

    @Override
    public void sum(MemorySegment vector) {
        long elements = Vectors.elements(vector);
        var shares = new Chunks(0, elements, inside.size());
        int own = inside.ownChunk();
        inside.reduceScatter(vector, 0, elements);
        across.allReduce(vector, shares.offset(own), shares.bytes(own) / Float.BYTES);
        inside.allGather(vector, 0, elements);
    }

    private static TopologyImpossible refused(String rule, List<List<Integer>> machines) {
        return new TopologyImpossible("%s, but they are %s".formatted(rule, machines));
    }
}
