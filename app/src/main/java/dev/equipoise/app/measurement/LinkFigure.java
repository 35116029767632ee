package dev.equipoise.app.measurement;

import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.WorkerId;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.springframework.data.domain.Persistable;

/** The measured Hockney costs of the link between two workers. */
@Entity
@Table(name = "link")
class LinkFigure implements Persistable<LinkFigure.Key> {

    @EmbeddedId private Key key;
    private double alphaSeconds;
    private double betaSecondsPerByte;
    private double relativeError;
    private Instant measuredAt;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected LinkFigure() {}

    LinkFigure(UUID measurement, WorkerId low, WorkerId high, MeasuredLink measured, Instant now) {
        this.key = new Key(measurement, low.value(), high.value());
        this.alphaSeconds = measured.alphaSeconds();
        this.betaSecondsPerByte = measured.betaSecondsPerByte();
        this.relativeError = measured.relativeError();
        this.measuredAt = now;
    }

    /**
     * The measurement and the two workers of a link.
     *
     * @param lowWorker the worker with the lower rank in the measurement
     */
    @Embeddable
    record Key(UUID measurementId, UUID lowWorker, UUID highWorker) {}

    @Override
    public Key getId() {
        return key;
    }

    /** Rows are written once, so that a save needs no select. */
    @Override
    public boolean isNew() {
        return true;
    }

    LinkView view() {
        return new LinkView(
                List.of(WorkerId.of(key.lowWorker()), WorkerId.of(key.highWorker())),
                alphaSeconds,
                betaSecondsPerByte,
                relativeError,
                measuredAt);
    }
}
