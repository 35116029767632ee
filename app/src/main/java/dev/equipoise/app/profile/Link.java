package dev.equipoise.app.profile;

import dev.equipoise.protocol.MeasuredLink;
import dev.equipoise.protocol.WorkerId;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.springframework.data.domain.Persistable;

/** What messages between two workers took when it was measured. */
@Entity
class Link implements Persistable<Link.Key> {

    @EmbeddedId private Key key;
    private double alphaSeconds;
    private double betaSecondsPerByte;
    private double relativeError;
    private Instant measuredAt;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected Link() {}

    Link(UUID measurement, WorkerId low, WorkerId high, MeasuredLink measured, Instant now) {
        this.key = new Key(measurement, low.value(), high.value());
        this.alphaSeconds = measured.alphaSeconds();
        this.betaSecondsPerByte = measured.betaSecondsPerByte();
        this.relativeError = measured.relativeError();
        this.measuredAt = now;
    }

    /**
     * Of which measurement, and between whom.
     *
     * @param lowWorker the one of the lower rank in the measurement
     */
    @Embeddable
    record Key(UUID measurementId, UUID lowWorker, UUID highWorker) {}

    @Override
    public Key getId() {
        return key;
    }

    /** Written once, and never looked for before. */
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
