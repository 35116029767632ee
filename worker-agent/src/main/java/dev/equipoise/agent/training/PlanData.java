package dev.equipoise.agent.training;

import dev.equipoise.agent.dataset.DatasetCorrupt;
import dev.equipoise.agent.dataset.DatasetInvalid;
import dev.equipoise.agent.dataset.DatasetRegistry;
import dev.equipoise.agent.dataset.DatasetSplit;
import dev.equipoise.agent.dataset.DatasetUnavailable;
import dev.equipoise.agent.network.Objective;
import dev.equipoise.agent.service.AssignmentFailed;
import dev.equipoise.protocol.TrainingPlan;

/** Loads the data of a plan with its augmentation, and translates failures. */
public final class PlanData {

    private PlanData() {}

    /**
     * Finds or fetches the data.
     *
     * @throws AssignmentFailed with the reason when that fails
     */
    public static DatasetSplit load(DatasetRegistry datasets, TrainingPlan plan) {
        try {
            return datasets.load(plan.dataset(), plan.trainingSamples())
                    .augmented(plan.dataset().augment(), plan.seed());
        } catch (DatasetCorrupt e) {
            throw AssignmentFailed.byWorker("dataset-corrupt", String.valueOf(e.getMessage()), e);
        } catch (DatasetUnavailable e) {
            String message = String.valueOf(e.getMessage());
            throw e.isOwn()
                    ? AssignmentFailed.byUser("dataset-unavailable", message, e)
                    : AssignmentFailed.byWorker("dataset-unavailable", message, e);
        } catch (DatasetInvalid e) {
            throw AssignmentFailed.byUser("dataset-invalid", String.valueOf(e.getMessage()), e);
        }
    }

    /** Returns the objective of a plan on its data. */
    public static Objective objective(TrainingPlan plan, DatasetSplit data) {
        return new Objective(plan.loss(), data.targets());
    }
}
