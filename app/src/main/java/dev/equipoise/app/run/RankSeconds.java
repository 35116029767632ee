package dev.equipoise.app.run;

import jakarta.persistence.Embeddable;

/** What a rank spends an epoch's time on, each in seconds. */
@Embeddable
public record RankSeconds(double computeSeconds, double transferSeconds, double waitSeconds) {

    /** All stretched alike. */
    public RankSeconds times(double factor) {
        return new RankSeconds(
                computeSeconds * factor, transferSeconds * factor, waitSeconds * factor);
    }
}
