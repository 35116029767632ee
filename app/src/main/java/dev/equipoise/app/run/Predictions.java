package dev.equipoise.app.run;

import dev.equipoise.app.problem.Problem;
import dev.equipoise.app.run.EpochResultRepository.RankMedians;
import dev.equipoise.protocol.RunId;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** What was predicted of runs, and how far that was off. */
@Service
public class Predictions {

    private static final Logger log = LoggerFactory.getLogger(Predictions.class);

    /** A lab changes: what is older tells of another one. */
    private static final Limit NEWEST = Limit.of(500);

    private final RunRepository runs;
    private final RankPredictionRepository ranks;
    private final PredictionErrorRepository errors;
    private final EpochResultRepository results;
    private final RunEvents told;
    private final Clock clock;

    Predictions(
            RunRepository runs,
            RankPredictionRepository ranks,
            PredictionErrorRepository errors,
            EpochResultRepository results,
            RunEvents told,
            Clock clock) {
        this.runs = runs;
        this.ranks = ranks;
        this.errors = errors;
        this.results = results;
        this.told = told;
        this.clock = clock;
    }

    /**
     * Keeps what is predicted of a run that has started, with the run, which may be over by now.
     */
    @Transactional
    public void keep(RunId id, Forecast forecast) {
        Run run = runs.findForUpdate(id.value()).orElseThrow(() -> Problem.notFound("run", id));
        run.predict(forecast.prediction());
        if (!run.state().isTerminal()) {
            told.tell(run.id(), new RunEvent.Predicted(forecast.prediction()));
        }
        ranks.saveAll(
                IntStream.range(0, forecast.ranks().size())
                        .mapToObj(rank ->
                                new RankPrediction(run.id(), rank, forecast.ranks().get(rank)))
                        .toList());
        if (run.state() == RunState.COMPLETED) {
            validate(run);
        }
        log.info("run predicted: {}: {} s an epoch", id, forecast.prediction().epochSeconds());
    }

    /** The newest runs of the whole lab that were predicted and have completed. */
    @Transactional(readOnly = true)
    public List<Validated> validated() {
        return errors.findByOrderByCompletedAtDesc(NEWEST).stream()
                .map(PredictionError::validated)
                .toList();
    }

    /** Sets what a completed run took beside what was predicted of it, if anything was. */
    void validate(Run run) {
        Prediction prediction = run.prediction();
        Measured measured = run.measured();
        if (prediction == null
                || measured == null
                || run.generation() > 1
                || !isTime(prediction.modelSeconds())
                || !isTime(prediction.epochSeconds())
                || !isTime(measured.epochSeconds())) {
            return;
        }
        errors.save(new PredictionError(run, prediction, measured.epochSeconds(), clock.instant()));
        Map<Integer, RankSeconds> medians =
                results.findMedians(run.id()).stream()
                        .collect(Collectors.toMap(RankMedians::rank, RankMedians::seconds));
        for (RankPrediction rank : ranks.findByKeyRunIdOrderByKeyRank(run.id())) {
            Optional.ofNullable(medians.get(rank.rank())).ifPresent(rank::measure);
        }
    }

    private static boolean isTime(double seconds) {
        return seconds > 0 && seconds < Double.POSITIVE_INFINITY;
    }
}
