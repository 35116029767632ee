package dev.equipoise.app.prediction;

import jakarta.persistence.AttributeOverride;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Persistable;

/** Predicted seconds of one rank's epochs and, once the run has completed, the measured ones. */
@Entity
class RankPrediction implements Persistable<RankPrediction.Key> {

    @EmbeddedId private Key key;
    @Embedded private RankSeconds predicted;

    @Embedded
    @AttributeOverride(name = "computeSeconds", column = @Column(name = "measured_compute_seconds"))
    @AttributeOverride(
            name = "transferSeconds",
            column = @Column(name = "measured_transfer_seconds"))
    @AttributeOverride(name = "waitSeconds", column = @Column(name = "measured_wait_seconds"))
    private @Nullable RankSeconds measured;

    @Embeddable
    record Key(UUID runId, int rank) {}

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected RankPrediction() {}

    RankPrediction(UUID run, int rank, RankSeconds predicted) {
        this.key = new Key(run, rank);
        this.predicted = predicted;
    }

    void measure(RankSeconds medians) {
        measured = medians;
    }

    @Override
    public Key getId() {
        return key;
    }

    /** Always new: saved once, when the run starts. */
    @Override
    public boolean isNew() {
        return true;
    }

    int rank() {
        return key.rank();
    }

    Validation.Rank read() {
        return new Validation.Rank(key.rank(), predicted, measured);
    }
}
