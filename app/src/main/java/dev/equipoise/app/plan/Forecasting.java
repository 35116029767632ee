package dev.equipoise.app.plan;

import dev.equipoise.app.plan.Calibration.Correction;
import dev.equipoise.app.plan.Calibration.Scope;
import dev.equipoise.app.run.Forecast;
import dev.equipoise.app.run.Prediction;
import dev.equipoise.app.run.RunKind;
import dev.equipoise.protocol.ChannelKind;
import dev.equipoise.protocol.Compression;
import dev.equipoise.protocol.Execution;
import dev.equipoise.protocol.Topology;
import java.util.ArrayList;
import java.util.List;

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

    /** What no clock of a lab repeats better, until runs have shown it. */
    private static final double UNTRIED = 0.1;

    /** Of a clock that is not real, which the model plays almost as it is. */
    private static final double UNTRIED_VIRTUAL = 0.02;

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

    private boolean isReal() {
        return model.configuration().execution() instanceof Execution.Real;
    }

    private double uncertainty(Estimate estimate, Correction correction) {
        double exchange = estimate.exchangeShare();
        return ofHistory(correction)
                + (1 - exchange) * ofProfiles()
                + exchange * (ofLinks() + ofFrames());
    }

    private double ofHistory(Correction correction) {
        double untried = isReal() ? UNTRIED : UNTRIED_VIRTUAL;
        return switch (correction.scope()) {
            case KIND -> correction.spread();
            case LAB -> Math.max(untried, correction.spread());
            case NONE -> untried;
        };
    }

    private double ofProfiles() {
        return model.paces().stream().mapToDouble(Pace::relativeError).average().orElse(0);
    }

    private double ofLinks() {
        return switch (model.links().basis()) {
            case TOLD, REHEARSED -> 0;
            case MEASURED -> model.links().relativeError();
            case ASSUMED -> OF_ASSUMED_LINKS;
        };
    }

    private double ofFrames() {
        boolean isCoded = !(model.configuration().compression() instanceof Compression.None);
        return (model.isTrafficGuessed() ? OF_GUESSED_FRAMES : 0)
                + (isCoded && isReal() ? OF_CODECS : 0);
    }

    private List<String> doubts(Correction correction) {
        List<String> doubts = new ArrayList<>();
        if (correction.scope() == Scope.NONE) {
            doubts.add("no runs of this lab have shown yet how far such predictions are off");
        }
        if (model.links().basis() == LinkCosts.Basis.ASSUMED && isExchanging()) {
            doubts.add(
                    "links that were not measured are taken to have %.0f us and %.0f MB/s"
                            .formatted(
                                    LinkCosts.ASSUMED.latencyMicroseconds(),
                                    LinkCosts.ASSUMED.megabytesPerSecond()));
        }
        if (model.links().basis() == LinkCosts.Basis.ASSUMED
                && model.configuration().channel() == ChannelKind.HAZELCAST) {
            doubts.add("Hazelcast is taken to be 3.5 times as slow as sockets are");
        }
        addOfCodec(doubts);
        addOfTopology(doubts);
        return doubts;
    }

    private boolean isExchanging() {
        return model.configuration().ranks() > 1;
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
