package dev.equipoise.app.prediction;

import jakarta.persistence.Embeddable;

/**
 * Phase times of a rank in an epoch or a round, in seconds.
 *
 * @param computeSeconds time of gradients, in seconds
 * @param transferSeconds time of sending and receiving, in seconds
 * @param waitSeconds time of waiting for other ranks, in seconds
 */
@Embeddable
public record RankSeconds(double computeSeconds, double transferSeconds, double waitSeconds) {

    /** Returns all times multiplied by a factor. */
    public RankSeconds times(double factor) {
        return new RankSeconds(
                computeSeconds * factor, transferSeconds * factor, waitSeconds * factor);
    }
}
