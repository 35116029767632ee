package dev.equipoise.app.plan;

import dev.equipoise.app.computing.ComputingThread;
import dev.equipoise.app.computing.ComputingThreads;
import dev.equipoise.app.experiment.RunConfiguration;
import dev.equipoise.app.run.Predictions;
import dev.equipoise.app.run.RunQueue;
import dev.equipoise.app.worker.LabWorker;
import dev.equipoise.protocol.WorkerId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Service;

/**
 * How long runs would last on some workers, by the time model. Who asks gets what is known by now,
 * in no time: what is not is computed on a thread of its own, and in no transaction.
 */
@Service
public class Durations implements DisposableBean {

    private static final Logger log = LoggerFactory.getLogger(Durations.class);
    private static final int MOST_WAITING = 200;
    private static final int MOST_KNOWN = 2_000;
    private static final double MILLIS = 1000;

    /** Profiles, links and what earlier runs have taught change meanwhile. */
    private static final Duration FRESH = Duration.ofMinutes(1);

    /** What runs take to prepare where none has shown it yet. */
    private static final Duration PREPARING = Duration.ofSeconds(10);

    private final Hands hands;
    private final Predictions predictions;
    private final RunQueue queue;
    private final Clock clock;
    private final ComputingThread thread;

    /** Guarded by this; what was asked for longest ago goes first. */
    private final Map<Wanted, Found> known =
            new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<Wanted, Found> eldest) {
                    return size() > MOST_KNOWN;
                }
            };

    /** Guarded by this. */
    private final Set<Wanted> beingFound = new HashSet<>();

    Durations(
            Hands hands,
            Predictions predictions,
            RunQueue queue,
            Clock clock,
            ComputingThreads threads) {
        this.thread = threads.create("foreseeing", MOST_WAITING);
        this.hands = hands;
        this.predictions = predictions;
        this.queue = queue;
        this.clock = clock;
    }

    /** What is expected of a run. */
    public sealed interface Expected {

        /** It takes so long, from its placement to its end. */
        record Lasts(Duration length) implements Expected {}

        /** The model does not tell: a worker has no profile, or something is left open. */
        record Untold() implements Expected {}

        /** It will be known soon. */
        record NotYet() implements Expected {}
    }

    /** Runs that differ by their seeds alone take the same time on the same workers. */
    private record Wanted(RunConfiguration configuration, List<WorkerId> workers) {}

    private record Found(@Nullable Course course, Instant at) {

        Expected expected(int epochs) {
            return course == null
                    ? new Expected.Untold()
                    : new Expected.Lasts(
                            course.preparing()
                                    .plusMillis(
                                            (long)
                                                    Math.ceil(
                                                            epochs
                                                                    * course.epochSeconds()
                                                                    * MILLIS)));
        }
    }

    private record Course(Duration preparing, double epochSeconds) {}

    /**
     * What is known by now.
     *
     * @param epochs that are still to be trained
     * @param workers one for each rank
     */
    public Expected known(RunConfiguration configuration, int epochs, List<LabWorker> workers) {
        if (!isTold(configuration, workers)) {
            return new Expected.Untold();
        }
        return look(wanted(configuration, workers))
                .map(it -> it.expected(epochs))
                .orElseGet(Expected.NotYet::new);
    }

    /** Has it found out, or anew where that is long ago; nothing where too many wait for that. */
    public void find(RunConfiguration configuration, List<LabWorker> workers) {
        if (isTold(configuration, workers)) {
            Wanted wanted = wanted(configuration, workers);
            if (begin(wanted)) {
                thread.start(() -> findNow(wanted, configuration, workers));
            }
        }
    }

    @Override
    public void destroy() {
        thread.close();
    }

    /** Of other runs the clock is not the lab's, or the order is that of an earlier one. */
    private static boolean isTold(RunConfiguration configuration, List<LabWorker> workers) {
        return !configuration.isOpen()
                && !configuration.isOnOneWorker()
                && workers.size() == configuration.workersWanted();
    }

    private static Wanted wanted(RunConfiguration configuration, List<LabWorker> workers) {
        return new Wanted(configuration.withSeed(1), workers.stream().map(LabWorker::id).toList());
    }

    private synchronized Optional<Found> look(Wanted wanted) {
        return Optional.ofNullable(known.get(wanted));
    }

    private synchronized boolean begin(Wanted wanted) {
        Found found = known.get(wanted);
        boolean isFresh = found != null && found.at().plus(FRESH).isAfter(clock.instant());
        return !isFresh && beingFound.size() < MOST_WAITING && beingFound.add(wanted);
    }

    private synchronized void keep(Wanted wanted, Found found) {
        known.put(wanted, found);
    }

    private synchronized void end(Wanted wanted) {
        beingFound.remove(wanted);
    }

    /** Whatever comes of it, an error too, it may be asked for again. */
    private void findNow(Wanted wanted, RunConfiguration configuration, List<LabWorker> workers) {
        try {
            keep(wanted, found(configuration, workers));
        } finally {
            end(wanted);
        }
    }

    private Found found(RunConfiguration configuration, List<LabWorker> workers) {
        Instant now = clock.instant();
        try {
            return new Found(course(configuration, workers).orElse(null), now);
        } catch (RuntimeException failure) {
            log.error("the length of a run could not be foreseen", failure);
            return new Found(null, now);
        }
    }

    private Optional<Course> course(RunConfiguration configuration, List<LabWorker> workers) {
        Crew crew = hands.crew(configuration, workers);
        if (!crew.isKnown() || crew.tight().isPresent()) {
            return Optional.empty();
        }
        double epochSeconds =
                crew.outlook(new Calibration(predictions.validated()))
                        .forecast()
                        .prediction()
                        .epochSeconds();
        return epochSeconds > 0 && epochSeconds < Double.POSITIVE_INFINITY
                ? Optional.of(new Course(queue.preparing().orElse(PREPARING), epochSeconds))
                : Optional.empty();
    }
}
