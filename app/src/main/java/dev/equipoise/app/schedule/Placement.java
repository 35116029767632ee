package dev.equipoise.app.schedule;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.run.Waiting;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.app.worker.WorkerState;
import dev.equipoise.protocol.Partitioning;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Decides whether a run can have its workers now, all at once, or why it waits. */
final class Placement {

    private Placement() {}

    sealed interface Decision {

        /** These workers, in the order of the ranks. */
        record Place(List<LabWorker> workers) implements Decision {}

        /** These workers must be profiled first. */
        record Profile(List<LabWorker> workers, Waiting reason) implements Decision {}

        record Wait(Waiting reason) implements Decision {}
    }

    /**
     * Looks for the oldest workers that fit.
     *
     * @param live the lab's workers, oldest first
     * @param isFree whether an idle worker may be taken
     * @param isProfiled whether a worker's speed at the run's kernel is known
     * @param isBeingProfiled whether a worker measures a profile, or is about to
     * @param isOneCluster whether some workers see one another
     */
    static Decision decide(
            RunConfiguration configuration,
            List<LabWorker> live,
            Predicate<LabWorker> isFree,
            Predicate<LabWorker> isProfiled,
            Predicate<LabWorker> isBeingProfiled,
            Predicate<Collection<LabWorker>> isOneCluster) {
        int wanted = configuration.workers().replicas();
        List<LabWorker> fitting =
                live.stream()
                        .filter(worker -> worker.state() != WorkerState.DRAINING)
                        .filter(worker -> worker.matches(configuration.workers().selector()))
                        .toList();
        if (fitting.size() < wanted) {
            return wait(
                    "too-few-workers",
                    "%d workers are wanted%s, and %d are there"
                            .formatted(wanted, selected(configuration), fitting.size()));
        }
        List<LabWorker> chosen =
                fitting.stream()
                        .filter(worker -> worker.state() == WorkerState.IDLE)
                        .filter(isFree)
                        .limit(wanted)
                        .toList();
        if (chosen.size() < wanted) {
            long profiling = fitting.stream().filter(isBeingProfiled).filter(isNot(chosen)).count();
            return chosen.size() + profiling >= wanted
                    ? new Decision.Wait(profiling(profiling))
                    : wait(
                            "workers-busy",
                            "%d workers are wanted, and %d of %d are idle"
                                    .formatted(wanted, chosen.size(), fitting.size()));
        }
        if (!isOneCluster.test(chosen)) {
            return wait("cluster-forming", "the workers do not all see one another yet");
        }
        List<LabWorker> unknown = chosen.stream().filter(isProfiled.negate()).toList();
        return configuration.partitioning() instanceof Partitioning.Functional && !unknown.isEmpty()
                ? new Decision.Profile(unknown, profiling(unknown.size()))
                : new Decision.Place(chosen);
    }

    private static Decision wait(String code, String message) {
        return new Decision.Wait(new Waiting(code, message));
    }

    private static Waiting profiling(long workers) {
        return new Waiting(
                "profiling", "the profiles of %d workers are being measured".formatted(workers));
    }

    private static Predicate<LabWorker> isNot(List<LabWorker> chosen) {
        Set<LabWorker> taken = Set.copyOf(chosen);
        return worker -> !taken.contains(worker);
    }

    private static String selected(RunConfiguration configuration) {
        return configuration.workers().selector().isEmpty()
                ? ""
                : " with the labels " + configuration.workers().selector();
    }
}
