package dev.equipoise.app.plan;

import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.plan.Calibration.Correction;
import dev.equipoise.app.run.Forecast;
import dev.equipoise.app.run.Hybrid;
import dev.equipoise.app.run.Prediction;
import dev.equipoise.app.run.RunKind;
import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the time model says of a run, corrected by what earlier runs took, with how far it may be
 * off: pure.
 */
record Forecasting(TimeModel model, Calibration calibration) {

    /** Links that nobody has measured may as well be half or twice as fast. */
    private static final double OF_ASSUMED_LINKS = 1;

    /** Of the part of an epoch that is not computing, where the length of frames is guessed. */
    private static final double OF_GUESSED_FRAMES = 0.5;

    /** Of the same, where speeds of codecs are those of another machine. */
    private static final double OF_CODECS = 0.2;

    /**
     * Before a run that shares its cores with others sums took from a fifth to five times as long
     * as in it; where links are slow, they took the same.
     */
    private static final double OF_REHEARSED = 0.5;

    /** Workers that compute beside one another take half of one another's speed at most. */
    private static final double OF_OTHER_LOAD = 0.5;

    /** Loads that differ by less are the same. */
    private static final double SAME_LOAD = 0.1;

    Forecast forecast() {
        Estimate estimate = model.estimate();
        Correction correction = calibration.correction(RunKind.of(model.configuration()));
        return forecast(estimate, correction);
    }

    private Forecast forecast(Estimate estimate, Correction correction) {
        Estimate corrected = estimate.times(correction.factor());
        return new Forecast(
                new Prediction(
                        corrected.computeSeconds(),
                        Math.max(0, corrected.epochSeconds() - corrected.computeSeconds()),
                        corrected.epochSeconds(),
                        estimate.epochSeconds(),
                        uncertainty(estimate, correction),
                        Math.round(estimate.bytes()),
                        doubts(correction)),
                corrected.ranks());
    }

    /**
     * Of ranks that share hidden units, as the groups were chosen.
     *
     * @param paces of the ranks
     * @param expected the links of which it is guessed what sums take; empty where these were timed
     */
    static Forecast ofHybrid(
            RunConfiguration configuration,
            Hybrid hybrid,
            List<Pace> paces,
            Optional<LinkCosts> expected,
            Calibration calibration) {
        RunKind kind = RunKind.of(configuration);
        Correction correction = calibration.correction(kind);
        double model = configuration.rounds() * hybrid.chosen().predictedSeconds();
        double sums = configuration.rounds() * hybrid.chosen().predictedSumSeconds();
        double exchange = model > 0 ? sums / model : 0;
        List<String> doubts = new ArrayList<>(correction.doubt().stream().toList());
        expected.ifPresent(links -> addOfLinks(links, configuration, doubts));
        addOfPaces(paces, doubts);
        return new Forecast(
                new Prediction(
                        correction.factor() * (model - sums),
                        correction.factor() * sums,
                        correction.factor() * model,
                        model,
                        correction.uncertainty(kind)
                                + (1 - exchange) * ofProfiles(paces)
                                + exchange
                                        * expected.map(it -> ofLinks(it, configuration))
                                                .orElse(0.0),
                        hybrid.bytes() == 0 ? null : configuration.rounds() * hybrid.bytes(),
                        doubts),
                hybrid.ranks().stream()
                        .map(it -> it.times(configuration.rounds() * correction.factor()))
                        .toList());
    }

    private boolean isReal() {
        return model.configuration().execution() instanceof Execution.Real;
    }

    private double uncertainty(Estimate estimate, Correction correction) {
        double exchange = estimate.exchangeShare();
        return correction.uncertainty(RunKind.of(model.configuration()))
                + (1 - exchange) * ofProfiles(model.paces())
                + exchange * (ofLinks(model.links(), model.configuration()) + ofFrames());
    }

    private static double ofProfiles(List<Pace> paces) {
        return paces.stream()
                .mapToDouble(it -> it.relativeError() + OF_OTHER_LOAD * it.otherLoad())
                .average()
                .orElse(0);
    }

    private static double ofLinks(LinkCosts links, RunConfiguration configuration) {
        boolean isOverHazelcast = configuration.channel() == ChannelKind.HAZELCAST;
        return switch (links.basis()) {
            case REHEARSED -> OF_REHEARSED;
            case TOLD -> isOverHazelcast ? OF_ASSUMED_LINKS : 0;
            case MEASURED -> isOverHazelcast ? OF_ASSUMED_LINKS : links.relativeError();
            case PARTLY_MEASURED, ASSUMED -> OF_ASSUMED_LINKS;
        };
    }

    private double ofFrames() {
        boolean isCoded = !(model.configuration().compression() instanceof Compression.None);
        return (model.isTrafficGuessed() ? OF_GUESSED_FRAMES : 0)
                + (isCoded && isReal() ? OF_CODECS : 0);
    }

    private List<String> doubts(Correction correction) {
        List<String> doubts = new ArrayList<>(correction.doubt().stream().toList());
        if (model.configuration().ranks() > 1) {
            addOfLinks(model.links(), model.configuration(), doubts);
        }
        addOfPaces(model.paces(), doubts);
        addOfCodec(doubts);
        addOfTopology(doubts);
        return doubts;
    }

    private static void addOfLinks(
            LinkCosts links, RunConfiguration configuration, List<String> doubts) {
        switch (links.basis()) {
            case ASSUMED ->
                    doubts.add(
                            "links that were not measured are taken to have %.0f us and %.0f MB/s"
                                    .formatted(
                                            LinkCosts.ASSUMED.latencyMicroseconds(),
                                            LinkCosts.ASSUMED.megabytesPerSecond()));
            case PARTLY_MEASURED ->
                    doubts.add(
                            "links that were not measured are taken to be like the slowest of those"
                                    + " that were");
            case TOLD, MEASURED, REHEARSED -> {}
        }
        if (configuration.channel() == ChannelKind.HAZELCAST
                && links.basis() != LinkCosts.Basis.REHEARSED) {
            doubts.add("Hazelcast is taken to be 3.5 times as slow as sockets are");
        }
    }

    private static void addOfPaces(List<Pace> paces, List<String> doubts) {
        double disturbed = paces.stream().mapToDouble(Pace::disturbed).average().orElse(0);
        if (disturbed > 0) {
            doubts.add(
                    "%.0f %% of the measured speeds were disturbed by other load"
                            .formatted(Math.ceil(100 * disturbed)));
        }
        if (paces.stream().anyMatch(it -> it.otherLoad() > SAME_LOAD)) {
            doubts.add(
                    "some speeds were measured while more or fewer workers of their machine"
                            + " computed than would");
        }
    }

    private void addOfCodec(List<String> doubts) {
        if (model.isTrafficGuessed()) {
            doubts.add("how long its frames are depends on the gradients, and is guessed");
        }
        if (isReal() && !(model.configuration().compression() instanceof Compression.None)) {
            doubts.add("coding is as fast as on the machine of docs/benchmarks.md");
        }
    }

    private void addOfTopology(List<String> doubts) {
        if (model.configuration().topology() instanceof Topology.AllReduce(var algorithm, var _)
                && algorithm == Topology.Algorithm.HIERARCHICAL) {
            doubts.add("hierarchical is taken to cost what a ring over all ranks costs");
        }
        if (model.configuration().topology().followsLinks()) {
            doubts.add("the ring is played in the order of the ranks, not in that of the links");
        }
    }
}
