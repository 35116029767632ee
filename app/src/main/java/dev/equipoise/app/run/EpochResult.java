package dev.equipoise.app.run;

import dev.equipoise.protocol.AgentEvent.EpochFinished;
import dev.equipoise.protocol.AgentEvent.Evaluated;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Persistable;

/** What one rank reported of one epoch; never changes once stored. */
@Entity
class EpochResult implements Persistable<EpochResult.Key> {

    @EmbeddedId private Key key;
    private int samples;
    private double computeSeconds;
    private double transferSeconds;
    private double waitSeconds;
    private double wallSeconds;
    private long bytesSent;
    private double meanLoss;
    private @Nullable Double testAccuracy;
    private @Nullable Double testLoss;
    private String parameters;

    @Embeddable
    record Key(UUID runId, int rank, int epoch) {}

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected EpochResult() {}

    EpochResult(UUID run, int rank, EpochFinished finished) {
        this.key = new Key(run, rank, finished.epoch());
        this.samples = finished.samples();
        this.computeSeconds = finished.computeSeconds();
        this.transferSeconds = finished.transferSeconds();
        this.waitSeconds = finished.waitSeconds();
        this.wallSeconds = finished.wallSeconds();
        this.bytesSent = finished.bytesSent();
        this.meanLoss = finished.meanLoss();
        Evaluated test = finished.test();
        this.testAccuracy = test == null ? null : test.accuracy();
        this.testLoss = test == null ? null : test.loss();
        this.parameters = finished.parameters();
    }

    @Override
    public Key getId() {
        return key;
    }

    @Override
    public boolean isNew() {
        return true;
    }

    EpochFinished figures() {
        return new EpochFinished(
                key.epoch(),
                samples,
                computeSeconds,
                transferSeconds,
                waitSeconds,
                wallSeconds,
                bytesSent,
                meanLoss,
                test(),
                parameters);
    }

    private @Nullable Evaluated test() {
        return testAccuracy == null || testLoss == null
                ? null
                : new Evaluated(testAccuracy, testLoss);
    }

    @Nullable Double testAccuracy() {
        return testAccuracy;
    }

    /** Null as well where an older agent told the accuracy alone. */
    @Nullable Double testLoss() {
        return testLoss;
    }

    int rank() {
        return key.rank();
    }
}
