package dev.equipoise.app.worker;

import java.time.Instant;
import java.util.DoubleSummaryStatistics;

/**
 * The samples of one bucket of a history.
 *
 * @param at begin of the bucket
 * @param mean mean of the samples
 * @param least smallest sample
 * @param greatest largest sample
 */
record HistoryPoint(Instant at, double mean, double least, double greatest) {

    static HistoryPoint of(Instant at, DoubleSummaryStatistics samples) {
        return new HistoryPoint(at, samples.getAverage(), samples.getMin(), samples.getMax());
    }
}
