package dev.equipoise.app;

import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.EpochFinished.ConsensusDistance;
import dev.equipoise.protocol.EpochFinished.Phases;
import dev.equipoise.protocol.EpochFinished.TestScore;
import dev.equipoise.protocol.EpochFinished.Traffic;
import dev.equipoise.protocol.EpochFinished.WeightUpdates;
import dev.equipoise.protocol.ReplicaDistance;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Creates epoch reports as agents send them. */
public final class TestingEpochs {

    private TestingEpochs() {}

    public static EpochFinished epoch(
            int epoch,
            int samples,
            double compute,
            double transfer,
            double wait,
            double wall,
            long bytes,
            double loss,
            @Nullable TestScore test,
            String parameters) {
        return new EpochFinished(
                0,
                epoch,
                samples,
                new Phases(compute, 0, transfer, wait, 0, 0),
                wall,
                new Traffic(bytes, 0, 0, 1),
                new WeightUpdates(1, 0.1, List.of(), 0),
                loss,
                test,
                null,
                null,
                parameters);
    }

    /**
     * Returns the epoch of a replica that differs from that of rank 0.
     *
     * @param relative distance over the norm of the weights, which is 10
     */
    public static EpochFinished differing(String parameters, double relative, EpochFinished epoch) {
        return apart(relative, parameters, new ReplicaDistance(0, 10 * relative, relative), epoch);
    }

    /** Returns the epoch of rank 0 if another replica differs, as {@link #differing} has it. */
    public static EpochFinished besideDiffering(double relative, EpochFinished epoch) {
        return apart(relative, epoch.parameters(), null, epoch);
    }

    private static EpochFinished apart(
            double relative,
            String parameters,
            @Nullable ReplicaDistance difference,
            EpochFinished epoch) {
        return new EpochFinished(
                epoch.rank(),
                epoch.epoch(),
                epoch.samples(),
                epoch.phases(),
                epoch.wallSeconds(),
                epoch.traffic(),
                epoch.updates(),
                epoch.meanLoss(),
                epoch.test(),
                epoch.own(),
                new ConsensusDistance(5 * relative, relative / 2),
                parameters,
                difference);
    }

    /** Returns the epoch with a consensus distance of 0, measured or assumed. */
    public static EpochFinished atDistanceZero(EpochFinished epoch) {
        return epoch.withDistance(new ConsensusDistance(0, 0));
    }

    public static EpochFinished ofRank(int rank, EpochFinished epoch) {
        return of(rank, epoch, epoch.phases(), epoch.own());
    }

    /** Returns the epoch with an evaluation of the replica's own weights. */
    public static EpochFinished reaching(double ownAccuracy, EpochFinished epoch) {
        return of(epoch.rank(), epoch, epoch.phases(), new TestScore(ownAccuracy, 1));
    }

    public static EpochFinished exchanging(
            double encodeSeconds, double hiddenSeconds, EpochFinished epoch) {
        Phases phases = epoch.phases();
        return of(
                epoch.rank(),
                epoch,
                new Phases(
                        phases.computeSeconds(),
                        encodeSeconds,
                        phases.transferSeconds(),
                        phases.waitSeconds(),
                        phases.applySeconds(),
                        hiddenSeconds),
                epoch.own());
    }

    private static EpochFinished of(
            int rank, EpochFinished epoch, Phases phases, @Nullable TestScore own) {
        return new EpochFinished(
                rank,
                epoch.epoch(),
                epoch.samples(),
                phases,
                epoch.wallSeconds(),
                epoch.traffic(),
                epoch.updates(),
                epoch.meanLoss(),
                epoch.test(),
                own,
                epoch.distance(),
                epoch.parameters(),
                epoch.difference());
    }
}
