package dev.equipoise.app.bundle;

import dev.equipoise.app.prediction.Prediction;
import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.FigureChecks;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.run.RunView.EpochView;
import dev.equipoise.app.run.RunView.RankView;
import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.MeasuredPoint;
import dev.equipoise.protocol.ReplicaDistance;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rejects bundles with figures that no run or measurement can have. */
final class BundledFigures {

    private BundledFigures() {}

    /**
     * Checks the figures of a run.
     *
     * @param name file of the run
     * @throws Problem {@code invalid-bundle} with all impossible figures
     */
    static void check(String name, StudyRun run) {
        FigureChecks checks = new FigureChecks().at("/" + name);
        checks.seconds("/epochSeconds", run.epochSeconds())
                .accuracy("/testAccuracy", run.testAccuracy())
                .magnitude("/testLoss", run.testLoss());
        check(run.prediction(), checks.at("/prediction"));
        List<EpochView> epochs = run.epochs();
        double bytes = 0;
        for (int i = 0; i < epochs.size(); i++) {
            check(epochs.get(i), checks.at("/epochs/" + i));
            bytes += epochs.get(i).ranks().stream().mapToDouble(RankView::bytesSent).sum();
        }
        if (bytes >= Long.MAX_VALUE) {
            checks.add(
                    "/epochs",
                    "must have bytesSent of at most %d in total".formatted(Long.MAX_VALUE),
                    bytes);
        }
        List<MeasuredLink> links = run.links();
        for (int i = 0; i < links.size(); i++) {
            checks.magnitude("/links/" + i + "/relativeError", links.get(i).relativeError());
        }
        checks.requireNone(ErrorCode.INVALID_BUNDLE);
    }

    /**
     * Checks the speeds of the workers.
     *
     * @throws Problem {@code invalid-bundle} with all impossible figures
     */
    static void check(StudyWorkers workers) {
        FigureChecks checks = new FigureChecks().at("/" + BundleFiles.WORKERS);
        for (int worker = 0; worker < workers.workers().size(); worker++) {
            var speeds = workers.workers().get(worker).speeds();
            for (int speed = 0; speed < speeds.size(); speed++) {
                check(
                        speeds.get(speed).points(),
                        checks.at("/workers/%d/speeds/%d".formatted(worker, speed)));
            }
        }
        checks.requireNone(ErrorCode.INVALID_BUNDLE);
    }

    private static void check(List<MeasuredPoint> points, FigureChecks checks) {
        for (int i = 0; i < points.size(); i++) {
            MeasuredPoint point = points.get(i);
            checks.at("/points/" + i)
                    .seconds("/meanSeconds", point.meanSeconds())
                    .seconds("/confidenceSeconds", point.confidenceSeconds())
                    .seconds("/deviationSeconds", point.deviationSeconds())
                    .seconds("/sigmoidSeconds", point.sigmoidSeconds());
        }
    }

    private static void check(@Nullable Prediction prediction, FigureChecks checks) {
        if (prediction != null) {
            checks.seconds("/computeSeconds", prediction.computeSeconds())
                    .seconds("/exchangeSeconds", prediction.exchangeSeconds())
                    .seconds("/epochSeconds", prediction.epochSeconds())
                    .seconds("/modelSeconds", prediction.modelSeconds())
                    .magnitude("/uncertainty", prediction.uncertainty());
        }
    }

    private static void check(EpochView epoch, FigureChecks checks) {
        checks.seconds("/epochSeconds", epoch.epochSeconds())
                .accuracy("/testAccuracy", epoch.testAccuracy())
                .magnitude("/testLoss", epoch.testLoss())
                .value("/meanLoss", epoch.meanLoss());
        for (int i = 0; i < epoch.ranks().size(); i++) {
            check(epoch.ranks().get(i), checks.at("/ranks/" + i));
        }
    }

    private static void check(RankView rank, FigureChecks checks) {
        checks.count("/samples", rank.samples())
                .seconds("/computeSeconds", rank.computeSeconds())
                .seconds("/encodeSeconds", rank.encodeSeconds())
                .seconds("/transferSeconds", rank.transferSeconds())
                .seconds("/waitSeconds", rank.waitSeconds())
                .seconds("/applySeconds", rank.applySeconds())
                .seconds("/hiddenSeconds", rank.hiddenSeconds())
                .seconds("/wallSeconds", rank.wallSeconds())
                .count("/bytesSent", rank.bytesSent())
                .value("/meanLoss", rank.meanLoss())
                .accuracy("/ownAccuracy", rank.ownAccuracy())
                .magnitude("/ownLoss", rank.ownLoss());
        ReplicaDistance difference = rank.difference();
        if (difference != null) {
            checks.magnitude("/difference/absolute", difference.absolute())
                    .magnitude("/difference/relative", difference.relative());
        }
    }
}
