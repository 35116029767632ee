package dev.equipoise.app.telemetry;

import dev.equipoise.protocol.EpochFinished;
import dev.equipoise.protocol.EpochFinished.ConsensusDistance;
import dev.equipoise.protocol.EpochFinished.Phases;
import dev.equipoise.protocol.EpochFinished.TestScore;
import dev.equipoise.protocol.EpochFinished.Traffic;
import dev.equipoise.protocol.EpochFinished.WeightUpdates;
import dev.equipoise.protocol.ReplicaDistance;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Persistable;

/** Figures of one epoch that one rank reported; immutable once stored. */
@Entity
class EpochResult implements Persistable<EpochResult.Key> {

    @EmbeddedId private Key key;
    private int generation;
    private int ranks;
    private int samples;
    private double computeSeconds;
    private double encodeSeconds;
    private double transferSeconds;
    private double waitSeconds;
    private double applySeconds;
    private double hiddenSeconds;
    private double wallSeconds;
    private long gradientBytes;
    private long weightBytes;
    private long controlBytes;
    private long frames;

    @JdbcTypeCode(SqlTypes.JSON)
    private WeightUpdates updates;

    private double meanLoss;
    private @Nullable Double testAccuracy;
    private @Nullable Double testLoss;
    private @Nullable Double ownAccuracy;
    private @Nullable Double ownLoss;
    private @Nullable Double absoluteDistance;
    private @Nullable Double relativeDistance;
    private String parameters;

    @JdbcTypeCode(SqlTypes.JSON)
    private @Nullable ReplicaDistance difference;

    @Embeddable
    record Key(UUID runId, int rank, int epoch) {}

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected EpochResult() {}

    /**
     * Creates the result of one rank.
     *
     * @param ranks number of ranks of the generation
     */
    EpochResult(UUID run, int generation, int ranks, EpochFinished finished) {
        this.key = new Key(run, finished.rank(), finished.epoch());
        this.generation = generation;
        this.ranks = ranks;
        this.samples = finished.samples();
        this.computeSeconds = finished.phases().computeSeconds();
        this.encodeSeconds = finished.phases().encodeSeconds();
        this.transferSeconds = finished.phases().transferSeconds();
        this.waitSeconds = finished.phases().waitSeconds();
        this.applySeconds = finished.phases().applySeconds();
        this.hiddenSeconds = finished.phases().hiddenSeconds();
        this.wallSeconds = finished.wallSeconds();
        this.gradientBytes = finished.traffic().gradientBytes();
        this.weightBytes = finished.traffic().weightBytes();
        this.controlBytes = finished.traffic().controlBytes();
        this.frames = finished.traffic().frames();
        this.updates = finished.updates();
        this.meanLoss = finished.meanLoss();
        TestScore test = finished.test();
        this.testAccuracy = test == null ? null : test.accuracy();
        this.testLoss = test == null ? null : test.loss();
        TestScore own = finished.own();
        this.ownAccuracy = own == null ? null : own.accuracy();
        this.ownLoss = own == null ? null : own.loss();
        ConsensusDistance distance = finished.distance();
        this.absoluteDistance = distance == null ? null : distance.absolute();
        this.relativeDistance = distance == null ? null : distance.relative();
        this.parameters = finished.parameters();
        this.difference = finished.difference();
    }

    @Override
    public Key getId() {
        return key;
    }

    @Override
    public boolean isNew() {
        return true;
    }

    RankEpoch read() {
        return new RankEpoch(generation, ranks, testAccuracy, testLoss, figures());
    }

    private EpochFinished figures() {
        return new EpochFinished(
                key.rank(),
                key.epoch(),
                samples,
                new Phases(
                        computeSeconds,
                        encodeSeconds,
                        transferSeconds,
                        waitSeconds,
                        applySeconds,
                        hiddenSeconds),
                wallSeconds,
                new Traffic(gradientBytes, weightBytes, controlBytes, frames),
                updates,
                meanLoss,
                evaluated(testAccuracy, testLoss),
                evaluated(ownAccuracy, ownLoss),
                absoluteDistance == null || relativeDistance == null
                        ? null
                        : new ConsensusDistance(absoluteDistance, relativeDistance),
                parameters,
                difference);
    }

    private static @Nullable TestScore evaluated(@Nullable Double accuracy, @Nullable Double loss) {
        return accuracy == null || loss == null ? null : new TestScore(accuracy, loss);
    }

    /** Number of ranks that report the epoch. */
    int ranks() {
        return ranks;
    }
}
