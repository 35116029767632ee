package dev.equipoise.agent.simulation;

import dev.equipoise.agent.checkpoint.ModelStore;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.network.Network;
import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.training.Gradients;
import dev.equipoise.agent.training.PlanData;
import dev.equipoise.agent.training.SliceGradients;
import dev.equipoise.protocol.TrainingPlan;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Networks of a simulation: one for each compute thread, which all ranks share, and the hidden
 * units of each rank under hybrid parallelism.
 */
final class SimulatedNetworks implements AutoCloseable {

    private final TrainingPlan plan;
    private final DatasetSplit data;
    private final Backend backend;
    private final Arena memory;
    private final List<Network> networks = new ArrayList<>();
    private final List<Gradients> gradients = new ArrayList<>();
    private final List<SliceGradients> slices = new ArrayList<>();

    /**
     * @param memory holds the mini-batches; must outlive this
     */
    SimulatedNetworks(TrainingPlan plan, DatasetSplit data, Backend backend, Arena memory) {
        this.plan = plan;
        this.data = data;
        this.backend = backend;
        this.memory = memory;
    }

    /**
     * Creates the networks, the first of which holds the initial weights.
     *
     * @param models has the model with which the run begins, if there is one
     */
    void create(int threads, @Nullable ModelStore models) throws InterruptedException {
        for (int i = 0; i < threads; i++) {
            Network network = Network.of(plan.network(), PlanData.objective(plan, data), backend);
            networks.add(network);
            gradients.add(Gradients.of(plan, network, data, memory));
        }
        Network first = networks.getFirst();
        first.initialize(plan.seed());
        if (models != null && models.instructions().initial() != null) {
            models.loadInitial(first.parameters());
        }
        for (int rank = 0; rank < plan.division().ranks(); rank++) {
            SliceGradients slice =
                    SliceGradients.of(plan, rank, data, backend, first.parameters(), memory);
            if (slice != null) {
                slices.add(slice);
            }
        }
    }

    int parameterCount() {
        return networks.getFirst().parameterCount();
    }

    /** Returns the gradients of each compute thread. */
    List<Gradients> gradients() {
        return gradients;
    }

    /** Returns the hidden units of a rank; null without groups. */
    @Nullable SliceGradients slice(int rank) {
        return slices.isEmpty() ? null : slices.get(rank);
    }

    @Override
    public void close() {
        networks.forEach(Network::close);
        slices.forEach(SliceGradients::close);
    }
}
