package dev.equipoise.app.plan;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.plan.BiasCorrection.Correction;
import dev.equipoise.app.prediction.Forecast;
import dev.equipoise.app.prediction.Prediction;
import dev.equipoise.app.prediction.PredictionClass;
import dev.equipoise.app.run.HybridAllocationView;
import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Forecasts the time and traffic of an epoch: corrects the estimate of the epoch time model for
 * bias, and adds the times of the ranks, the uncertainty and the caveats. Pure.
 */
record EpochForecaster(EpochTimeModel model, BiasCorrection biasCorrection) {

    /*
     * Contributions to the relative uncertainty. Those of links, frames and codecs apply to the
     * fraction of an epoch that is not computing.
     */

    /** Unmeasured links may be half or twice as fast as assumed. */
    private static final double OF_ASSUMED_LINKS = 1;

    /** The length of frames is estimated. */
    private static final double OF_GUESSED_FRAMES = 0.5;

    /** The speeds of codecs were measured on another machine. */
    private static final double OF_CODECS = 0.2;

    /**
     * On shared cores, the all-reduce before training took between 0.2 and 5 times as long as in
     * the run; over slow links it took as long.
     */
    private static final double OF_CALIBRATED_LINKS = 0.5;

    /** Co-located workers slow one another to half their speed at most. */
    private static final double OF_OTHER_LOAD = 0.5;

    /** Relative differences of host loads up to this one are no caveat. */
    private static final double SAME_LOAD = 0.1;

    Forecast forecast() {
        EpochTimeEstimate estimate = model.estimate();
        Correction correction =
                biasCorrection.correction(PredictionClass.of(model.configuration()));
        return forecast(estimate, correction);
    }

    private Forecast forecast(EpochTimeEstimate estimate, Correction correction) {
        EpochTimeEstimate corrected = estimate.times(correction.factor());
        return new Forecast(
                new Prediction(
                        corrected.computeSeconds(),
                        Math.max(0, corrected.epochSeconds() - corrected.computeSeconds()),
                        corrected.epochSeconds(),
                        estimate.epochSeconds(),
                        uncertainty(estimate, correction),
                        Math.round(estimate.bytes()),
                        caveats(correction)),
                corrected.ranks());
    }

    /**
     * Predicts a run with hybrid parallelism and chosen groups.
     *
     * @param stepTimes of the ranks
     * @param expected the links from which all-reduce times are derived; empty if these were timed
     */
    static Forecast ofHybrid(
            RunConfiguration configuration,
            HybridAllocationView hybrid,
            List<StepTimeModel> stepTimes,
            Optional<LinkCosts> expected,
            BiasCorrection biasCorrection) {
        PredictionClass kind = PredictionClass.of(configuration);
        Correction correction = biasCorrection.correction(kind);
        double model = configuration.rounds() * hybrid.chosen().predictedSeconds();
        double sums = configuration.rounds() * hybrid.chosen().predictedSumSeconds();
        double exchange = model > 0 ? sums / model : 0;
        List<String> caveats = new ArrayList<>(correction.caveat().stream().toList());
        expected.ifPresent(links -> addOfLinks(links, configuration, caveats));
        addOfStepTimes(stepTimes, caveats);
        return new Forecast(
                new Prediction(
                        correction.factor() * (model - sums),
                        correction.factor() * sums,
                        correction.factor() * model,
                        model,
                        correction.uncertainty(kind)
                                + (1 - exchange) * ofProfiles(stepTimes)
                                + exchange
                                        * expected.map(it -> ofLinks(it, configuration))
                                                .orElse(0.0),
                        hybrid.bytes() == 0 ? null : configuration.rounds() * hybrid.bytes(),
                        caveats),
                hybrid.ranks().stream()
                        .map(it -> it.times(configuration.rounds() * correction.factor()))
                        .toList());
    }

    private boolean isReal() {
        return model.configuration().execution() instanceof Execution.Real;
    }

    private double uncertainty(EpochTimeEstimate estimate, Correction correction) {
        double exchange = estimate.exchangeShare();
        return correction.uncertainty(PredictionClass.of(model.configuration()))
                + (1 - exchange) * ofProfiles(model.stepTimes())
                + exchange * (ofLinks(model.links(), model.configuration()) + ofFrames());
    }

    private static double ofProfiles(List<StepTimeModel> stepTimes) {
        return stepTimes.stream()
                .mapToDouble(it -> it.relativeError() + OF_OTHER_LOAD * it.otherLoad())
                .average()
                .orElse(0);
    }

    private static double ofLinks(LinkCosts links, RunConfiguration configuration) {
        boolean isOverHazelcast = configuration.channel() == ChannelKind.HAZELCAST;
        return switch (links.basis()) {
            case CALIBRATED -> OF_CALIBRATED_LINKS;
            case SPECIFIED -> isOverHazelcast ? OF_ASSUMED_LINKS : 0;
            case MEASURED -> isOverHazelcast ? OF_ASSUMED_LINKS : links.relativeError();
            case PARTLY_MEASURED, ASSUMED -> OF_ASSUMED_LINKS;
        };
    }

    private double ofFrames() {
        boolean isCoded = !(model.configuration().compression() instanceof Compression.None);
        return (model.isTrafficGuessed() ? OF_GUESSED_FRAMES : 0)
                + (isCoded && isReal() ? OF_CODECS : 0);
    }

    private List<String> caveats(Correction correction) {
        List<String> caveats = new ArrayList<>(correction.caveat().stream().toList());
        if (model.configuration().ranks() > 1) {
            addOfLinks(model.links(), model.configuration(), caveats);
        }
        addOfStepTimes(model.stepTimes(), caveats);
        addOfCodec(caveats);
        addOfTopology(caveats);
        return caveats;
    }

    private static void addOfLinks(
            LinkCosts links, RunConfiguration configuration, List<String> caveats) {
        switch (links.basis()) {
            case ASSUMED ->
                    caveats.add(
                            "links without measurement are assumed to have %.0f us and %.0f MB/s"
                                    .formatted(
                                            LinkCosts.ASSUMED.latencyMicroseconds(),
                                            LinkCosts.ASSUMED.megabytesPerSecond()));
            case PARTLY_MEASURED ->
                    caveats.add(
                            "links without measurement are assumed to be as slow as the slowest"
                                    + " measured one");
            case SPECIFIED, MEASURED, CALIBRATED -> {}
        }
        if (configuration.channel() == ChannelKind.HAZELCAST
                && links.basis() != LinkCosts.Basis.CALIBRATED) {
            caveats.add("Hazelcast is assumed to be 3.5 times as slow as sockets");
        }
    }

    private static void addOfStepTimes(List<StepTimeModel> stepTimes, List<String> caveats) {
        double disturbed =
                stepTimes.stream().mapToDouble(StepTimeModel::disturbed).average().orElse(0);
        if (disturbed > 0) {
            caveats.add(
                    "%.0f %% of the measured points were disturbed by other load"
                            .formatted(Math.ceil(100 * disturbed)));
        }
        if (stepTimes.stream().anyMatch(it -> it.otherLoad() > SAME_LOAD)) {
            caveats.add(
                    "some speeds were measured with more or fewer busy co-located workers than the"
                            + " run would have");
        }
    }

    private void addOfCodec(List<String> caveats) {
        if (model.isTrafficGuessed()) {
            caveats.add("the length of frames depends on the gradients and is estimated");
        }
        if (isReal() && !(model.configuration().compression() instanceof Compression.None)) {
            caveats.add(
                    "encoding is assumed to be as fast as on the machine of docs/benchmarks.md");
        }
    }

    private void addOfTopology(List<String> caveats) {
        if (model.configuration().topology() instanceof Topology.AllReduce(var algorithm, var _)
                && algorithm == Topology.Algorithm.HIERARCHICAL) {
            caveats.add(
                    "a hierarchical all-reduce is assumed to take as long as a ring over all"
                            + " ranks");
        }
        if (model.configuration().topology().followsLinks()) {
            caveats.add("the ring is simulated in rank order, not in the order by link");
        }
    }
}
