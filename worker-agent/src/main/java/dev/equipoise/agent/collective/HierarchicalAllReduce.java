package dev.equipoise.agent.collective;

import dev.equipoise.agent.channel.Channel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;

/**
 * Hierarchical all-reduce for hosts with several ranks each (docs/algorithms.md, section 3.2): a
 * reduce-scatter inside each host, an all-reduce of each share across the hosts, and an all-gather
 * inside. The network carries only what one rank per host would send.
 */
final class HierarchicalAllReduce implements AllReduce {

    private final Ring inside;
    private final Ring across;

    /**
     * @param hosts the ranks on each host; equal on all ranks
     * @throws TopologyImpossible unless all hosts have equally many ranks
     */
    public HierarchicalAllReduce(Channel channel, List<List<Integer>> hosts, Arena memory) {
        List<Integer> own =
                hosts.stream()
                        .filter(ranks -> ranks.contains(channel.rank()))
                        .findFirst()
                        .orElseThrow(() ->
                                violated(
                                        "a hierarchical all-reduce needs a host for every rank",
                                        hosts));
        if (hosts.stream().anyMatch(ranks -> ranks.size() != own.size())) {
            throw violated(
                    "a hierarchical all-reduce needs equally many ranks on every host", hosts);
        }
        if (hosts.stream().flatMap(List::stream).distinct().count() != channel.size()
                || hosts.size() * own.size() != channel.size()) {
            throw violated("a hierarchical all-reduce needs every rank on exactly one host", hosts);
        }
        int position = own.indexOf(channel.rank());
        Stream<Integer> counterparts = hosts.stream().map(ranks -> ranks.get(position));
        this.inside = new Ring(channel, own, memory);
        this.across = new Ring(channel, counterparts.toList(), memory);
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

    private static TopologyImpossible violated(String rule, List<List<Integer>> hosts) {
        return new TopologyImpossible("%s, but the ranks by host are %s".formatted(rule, hosts));
    }
}
