package dev.equipoise.app.prediction;

import dev.equipoise.app.configuration.RunConfiguration;
import dev.equipoise.app.telemetry.EpochStore;
import dev.equipoise.app.telemetry.EpochStore.RankMedians;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Component;

/** Store of the predicted seconds of ranks and of the prediction errors of completed runs. */
@Component
public class PredictionStore {

    /** Limit of the outcomes considered: a lab changes, so that older ones no longer apply. */
    private static final Limit NEWEST = Limit.of(500);

    private final RankPredictionRepository ranks;
    private final PredictionErrorRepository errors;
    private final EpochStore epochs;
    private final Clock clock;

    PredictionStore(
            RankPredictionRepository ranks,
            PredictionErrorRepository errors,
            EpochStore epochs,
            Clock clock) {
        this.ranks = ranks;
        this.errors = errors;
        this.epochs = epochs;
        this.clock = clock;
    }

    /**
     * Stores the predicted seconds of the ranks of a run.
     *
     * @param predicted in ascending order of ranks
     */
    public void keep(UUID run, List<RankSeconds> predicted) {
        ranks.saveAll(
                IntStream.range(0, predicted.size())
                        .mapToObj(rank -> new RankPrediction(run, rank, predicted.get(rank)))
                        .toList());
    }

    /** Returns the predicted and measured seconds of the ranks of a run, in ascending order. */
    public List<Validation.Rank> ranks(UUID run) {
        return ranks.findByKeyRunIdOrderByKeyRank(run).stream().map(RankPrediction::read).toList();
    }

    /**
     * Stores the prediction error of a completed run, unless a time is not positive and finite.
     *
     * @param measuredSeconds median over the epochs
     */
    public void validate(
            UUID run,
            UUID project,
            RunConfiguration configuration,
            Prediction prediction,
            double measuredSeconds) {
        if (!isPositiveFinite(prediction.modelSeconds())
                || !isPositiveFinite(prediction.epochSeconds())
                || !isPositiveFinite(measuredSeconds)) {
            return;
        }
        errors.save(
                new PredictionError(
                        run, project, configuration, prediction, measuredSeconds, clock.instant()));
        Map<Integer, RankSeconds> medians =
                epochs.medians(run).stream()
                        .collect(Collectors.toMap(RankMedians::rank, PredictionStore::seconds));
        for (RankPrediction rank : ranks.findByKeyRunIdOrderByKeyRank(run)) {
            Optional.ofNullable(medians.get(rank.rank())).ifPresent(rank::measure);
        }
    }

    private static RankSeconds seconds(RankMedians medians) {
        return new RankSeconds(medians.compute(), medians.transfer(), medians.waiting());
    }

    private static boolean isPositiveFinite(double seconds) {
        return seconds > 0 && seconds < Double.POSITIVE_INFINITY;
    }

    /** Returns the outcomes of the newest completed runs of the whole lab that had a prediction. */
    public List<PredictionOutcome> validated() {
        return errors.findByOrderByCompletedAtDesc(NEWEST).stream()
                .map(PredictionError::outcome)
                .toList();
    }
}
