package dev.equipoise.agent.collective;

import dev.equipoise.agent.order.ChoiceSource;
import dev.equipoise.performance.cost.CostModel;
import dev.equipoise.protocol.Topology.Algorithm;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Algorithm selection: sums each vector by the algorithm that costs the least time for its length
 * (docs/algorithms.md, section 3.2).
 */
final class AutoAllReduce implements AllReduce {

    private final CostModel costs;
    private final int ranks;
    private final ChoiceSource choices;
    private final Function<Algorithm, AllReduce> factory;
    private final Map<Algorithm, AllReduce> allReduces = new EnumMap<>(Algorithm.class);

    /**
     * @param costs equal on all ranks, so that all choose alike
     */
    AutoAllReduce(
            CostModel costs,
            int ranks,
            ChoiceSource choices,
            Function<Algorithm, AllReduce> factory) {
        this.costs = costs;
        this.ranks = ranks;
        this.choices = choices;
        this.factory = factory;
    }

    @Override
    public void sum(MemorySegment vector) {
        int chosen = choices.choose(() -> CostModel.CHOICES.indexOf(best(vector)));
        allReduces.computeIfAbsent(CostModel.CHOICES.get(chosen), factory).sum(vector);
    }

    private Algorithm best(MemorySegment vector) {
        return costs.best(ranks, vector.byteSize());
    }
}
