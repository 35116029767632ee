package dev.equipoise.app.run;

import dev.equipoise.app.run.EpochResultRepository.EpochFigures;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The metrics that have a point at the end of an epoch; their curves are made of its figures. */
enum EpochMetric {
    /** Of the mean of all replicas, on the test set. */
    TEST_ACCURACY("test/accuracy", true, EpochFigures::testAccuracy),
    /** Of the mean of all replicas, on the test set. */
    TEST_LOSS("test/loss", true, EpochFigures::testLoss),
    /** The root of the mean squared distance of the replicas to their mean. */
    DISTANCE("replicas/distance", true, EpochFigures::absoluteDistance),
    /** The same, relative to the length of the mean. */
    RELATIVE_DISTANCE("replicas/relative-distance", true, EpochFigures::relativeDistance),
    /** Of this replica by itself, on the test set. */
    REPLICA_ACCURACY("replica/accuracy", false, EpochFigures::ownAccuracy),
    /** Of this replica by itself, on the test set. */
    REPLICA_LOSS("replica/loss", false, EpochFigures::ownLoss),
    /** Mean over the rank's samples of the epoch, each before the update that it is in. */
    LOSS("epoch/loss", false, it -> it.samples() == 0 ? null : it.meanLoss()),
    /** That the rank has learnt in the epoch. */
    SAMPLES("epoch/samples", false, it -> (double) it.samples()),
    /** That the rank has sent in the epoch, headers included. */
    BYTES("epoch/bytes", false, it -> (double) it.bytes()),
    /** That the epoch has taken on the rank's clock, without the look at the test set. */
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

    /** The one of a name, if it is one of these. */
    static Optional<EpochMetric> of(String name) {
        return Arrays.stream(values()).filter(it -> it.title.equals(name)).findFirst();
    }

    /** As curves are asked for, for example {@code test/accuracy}. */
    String title() {
        return title;
    }

    /** Whether it is of the run as a whole, so that no rank has a curve of its own. */
    boolean isOfRun() {
        return ofRun;
    }

    @Nullable Double value(EpochFigures figures) {
        return value.apply(figures);
    }
}
