package dev.equipoise.app.run;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.performance.cost.RingSampling;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.LinkLimit;
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.Method;
import dev.equipoise.protocol.Observation;
import dev.equipoise.protocol.TrainingPlan;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Training plans of placed runs, from their configuration and their present ranks. */
final class TrainingPlans {

    private static final double BYTES_PER_MEGABYTE = 1e6;

    private TrainingPlans() {}

    /**
     * Writes the plan of the current generation.
     *
     * @param ranks in ascending order
     * @param measured measurements that the placement used; empty if it used none
     */
    static TrainingPlan of(Run run, List<RunRank> ranks, Optional<RunMeasurements> measured) {
        RunConfiguration configuration = run.configuration();
        Execution execution = configuration.executionByRank();
        List<LinkLimit> limits = limits(configuration, ranks);
        List<MeasuredLink> links = measured.map(RunMeasurements::links).orElse(List.of());
        return new TrainingPlan(
                configuration.dataset(),
                configuration.architecture(),
                configuration.training().loss(),
                configuration.training().optimizer(),
                configuration.training().epochs(),
                observation(configuration),
                configuration.seed(),
                division(run, ranks),
                method(configuration, ranks.size(), limits, links),
                configuration.channel(),
                measured.map(it -> it.execution(execution)).orElse(execution),
                limits,
                links);
    }

    /** Returns the method with the sampling rates that follow the links of its ring. */
    private static Method method(
            RunConfiguration configuration,
            int ranks,
            List<LinkLimit> limits,
            List<MeasuredLink> links) {
        return RingSampling.resolved(
                configuration.method(),
                ranks,
                (rank, peer) ->
                        Math.max(
                                limitedSecondsPerByte(limits, rank, peer),
                                secondsPerByte(configuration.execution(), links, rank, peer)));
    }

    /** Returns 0 without a limit of the bandwidth. */
    private static double limitedSecondsPerByte(List<LinkLimit> limits, int rank, int peer) {
        return LinkLimit.of(limits, rank, peer)
                .flatMap(it -> Optional.ofNullable(it.megabytesPerSecond()))
                .map(TrainingPlans::secondsPerByte)
                .orElse(0.0);
    }

    private static double secondsPerByte(
            Execution execution, List<MeasuredLink> links, int rank, int peer) {
        return execution instanceof Execution.Virtual virtual
                ? secondsPerByte(virtual.link().megabytesPerSecond())
                : links.stream()
                        .filter(it ->
                                it.low() == Math.min(rank, peer)
                                        && it.high() == Math.max(rank, peer))
                        .mapToDouble(MeasuredLink::betaSecondsPerByte)
                        .findFirst()
                        .orElse(0.0);
    }

    private static double secondsPerByte(double megabytesPerSecond) {
        return 1 / (megabytesPerSecond * BYTES_PER_MEGABYTE);
    }

    private static Observation observation(RunConfiguration configuration) {
        return new Observation(
                configuration.instrumentation().evaluation().every(),
                configuration.instrumentation().evaluation().replicas(),
                configuration.instrumentation().trace(),
                configuration.instrumentation().record());
    }

    private static TrainingPlan.EpochDivision division(Run run, List<RunRank> ranks) {
        RunConfiguration configuration = run.configuration();
        return new TrainingPlan.EpochDivision(
                ranks.stream().map(RunRank::share).toList(),
                run.rounds(),
                ranks.stream().map(it -> configuration.count(it.place())).toList(),
                ranks.stream().map(it -> configuration.slowDown(it.place())).toList(),
                configuration.heterogeneity().slowDownFrom(),
                rebalancing(configuration, ranks),
                run.grouping());
    }

    private static TrainingPlan.@Nullable Rebalancing rebalancing(
            RunConfiguration configuration, List<RunRank> ranks) {
        Double hysteresis = configuration.hysteresis();
        return hysteresis == null
                ? null
                : new TrainingPlan.Rebalancing(
                        hysteresis, ranks.stream().map(RunRank::room).toList());
    }

    /** Returns the link limits between the present ranks, by their present numbers. */
    private static List<LinkLimit> limits(RunConfiguration configuration, List<RunRank> ranks) {
        List<Integer> places = ranks.stream().map(RunRank::place).toList();
        return configuration.heterogeneity().links().stream()
                .flatMap(it -> it.among(places).stream())
                .toList();
    }
}
