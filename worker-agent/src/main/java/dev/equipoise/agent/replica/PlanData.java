package dev.equipoise.agent.replica;

import dev.equipoise.agent.dataset.DatasetCorrupt;
import dev.equipoise.agent.dataset.DatasetInvalid;
import dev.equipoise.agent.dataset.DatasetRegistry;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.dataset.DatasetUnavailable;
import dev.equipoise.agent.network.Objective;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.protocol.TrainingPlan;

/** The data that a plan trains on, and what it makes of its labels. */
final class PlanData {

    private PlanData() {}

    /**
     * Finds or fetches it.
     *
     * @throws AssignmentFailed where that is not possible, with the reason
     */
    static DatasetSplit load(DatasetRegistry datasets, TrainingPlan plan) {
        try {
            return datasets.load(plan.dataset(), plan.trainingSamples());
        } catch (DatasetCorrupt e) {
            throw AssignmentFailed.byWorker("dataset-corrupt", String.valueOf(e.getMessage()), e);
        } catch (DatasetUnavailable e) {
            throw AssignmentFailed.byWorker(
                    "dataset-unavailable", String.valueOf(e.getMessage()), e);
        } catch (DatasetInvalid e) {
            throw AssignmentFailed.byUser("dataset-invalid", String.valueOf(e.getMessage()), e);
        }
    }

    static Objective objective(TrainingPlan plan, DatasetSplit data) {
        return new Objective(plan.loss(), data.targets());
    }
}
