package dev.equipoise.app.telemetry;

import dev.equipoise.app.telemetry.EpochStore.EpochFigures;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Metrics with one point at the end of each epoch, taken from the figures of the epoch. */
public enum EpochMetric {
    /** Accuracy of the mean of all replicas on the test set, from 0 to 1. */
    TEST_ACCURACY("test/accuracy", true, EpochFigures::testAccuracy),
    /** Loss of the mean of all replicas on the test set. */
    TEST_LOSS("test/loss", true, EpochFigures::testLoss),
    /** Consensus distance: root mean square distance of the replicas from their mean. */
    DISTANCE("replicas/distance", true, EpochFigures::absoluteDistance),
    /** Consensus distance over the norm of the mean. */
    RELATIVE_DISTANCE("replicas/relative-distance", true, EpochFigures::relativeDistance),
    /** Accuracy of this replica's own weights on the test set, from 0 to 1. */
    REPLICA_ACCURACY("replica/accuracy", false, EpochFigures::ownAccuracy),
    /** Loss of this replica's own weights on the test set. */
    REPLICA_LOSS("replica/loss", false, EpochFigures::ownLoss),
    /** Mean over the rank's samples of the epoch, each before the update that it is part of. */
    LOSS("epoch/loss", false, it -> it.samples() == 0 ? null : it.meanLoss()),
    /** Samples that the rank trained on in the epoch. */
    SAMPLES("epoch/samples", false, it -> (double) it.samples()),
    /** Bytes that the rank sent in the epoch, headers included. */
    BYTES("epoch/bytes", false, it -> (double) it.bytes()),
    /** Seconds of the epoch on the rank's clock, evaluation excluded. */
    SECONDS("epoch/seconds", false, EpochFigures::wallSeconds);

    private final String title;
    private final boolean ofRun;

    @SuppressWarnings("ImmutableEnumChecker") // a method reference is immutable
    private final Function<EpochFigures, @Nullable Double> value;

    EpochMetric(String title, boolean ofRun, Function<EpochFigures, @Nullable Double> value) {
        this.title = title;
        this.ofRun = ofRun;
        this.value = value;
    }

    /** Finds a metric by its name. */
    public static Optional<EpochMetric> of(String name) {
        return Arrays.stream(values()).filter(it -> it.title.equals(name)).findFirst();
    }

    /** Name of the metric in queries, for example {@code test/accuracy}. */
    public String title() {
        return title;
    }

    /** Whether the metric has one curve for the whole run and none for each rank. */
    public boolean isOfRun() {
        return ofRun;
    }

    /** Returns the value of one rank's epoch; null if the epoch has none. */
    public @Nullable Double value(EpochFigures figures) {
        return value.apply(figures);
    }
}
