package dev.equipoise.agent.collective;

import dev.equipoise.agent.order.Decisions;
import dev.equipoise.performance.cost.CostModel;
import dev.equipoise.protocol.Topology.Algorithm;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;

/** Sums each vector by the algorithm that costs least for its length. */
final class AutoAllReduce implements AllReduce {

    private final CostModel costs;
    private final int ranks;
    private final Decisions decisions;
    private final Function<Algorithm, AllReduce> make;
    private final Map<Algorithm, AllReduce> made = new EnumMap<>(Algorithm.class);

    /**
     * @param costs equal on all ranks, or they would choose differently
     */
    AutoAllReduce(
            CostModel costs, int ranks, Decisions decisions, Function<Algorithm, AllReduce> make) {
        this.costs = costs;
        this.ranks = ranks;
        this.decisions = decisions;
        this.make = make;
    }

    @Override
    public void sum(MemorySegment vector) {
        int chosen = decisions.choose(() -> CostModel.CHOICES.indexOf(best(vector)));
        made.computeIfAbsent(CostModel.CHOICES.get(chosen), make).sum(vector);
    }

    private Algorithm best(MemorySegment vector) {
        return costs.best(ranks, vector.byteSize());
    }
}
