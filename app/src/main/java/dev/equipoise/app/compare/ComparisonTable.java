package dev.equipoise.app.compare;

import static java.util.stream.Collectors.joining;

import dev.equipoise.performance.statistics.MeanEstimate;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.RunPhases;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Comparison as a table: one row for each group, then one for each run, in the same columns.
 * Unknown values are empty.
 */
final class ComparisonTable {

    /** Column with its values for the two kinds of rows. */
    private record Column(
            String name,
            Function<ComparedGroup, @Nullable Object> ofGroup,
            Function<ComparedRun, @Nullable Object> ofRun) {}

    private static final List<Column> COLUMNS =
            Stream.of(
                            List.of(
                                    new Column("row", _ -> "group", _ -> "run"),
                                    new Column("label", ComparedGroup::label, ComparedRun::label),
                                    new Column("name", _ -> null, ComparedRun::name),
                                    new Column("seed", _ -> null, ComparedRun::seed),
                                    new Column("run", _ -> null, it -> text(it.run())),
                                    new Column("state", _ -> null, ComparedRun::state),
                                    new Column("runs", it -> it.runs().size(), _ -> null),
                                    new Column("completed", ComparedGroup::completed, _ -> null),
                                    new Column("reached", ComparedGroup::reached, _ -> null)),
                            estimate(
                                    "finalAccuracy",
                                    Estimates::finalAccuracy,
                                    Figures::finalAccuracy),
                            estimate(
                                    "bestAccuracy", Estimates::bestAccuracy, Figures::bestAccuracy),
                            estimate(
                                    "replicaAccuracy",
                                    Estimates::replicaAccuracy,
                                    Figures::replicaAccuracy),
                            estimate(
                                    "bestReplicaAccuracy",
                                    Estimates::bestReplicaAccuracy,
                                    Figures::bestReplicaAccuracy),
                            List.of(
                                    new Column(
                                            "bestReplica",
                                            _ -> null,
                                            it -> it.figures().bestReplica())),
                            estimate(
                                    "finalTestLoss",
                                    Estimates::finalTestLoss,
                                    Figures::finalTestLoss),
                            estimate(
                                    "finalTrainingLoss",
                                    Estimates::finalTrainingLoss,
                                    Figures::finalTrainingLoss),
                            estimate(
                                    "secondsToTarget",
                                    Estimates::secondsToTarget,
                                    Figures::secondsToTarget),
                            estimate(
                                    "bytesToTarget",
                                    Estimates::bytesToTarget,
                                    Figures::bytesToTarget),
                            estimate(
                                    "trainingSeconds",
                                    Estimates::trainingSeconds,
                                    Figures::trainingSeconds),
                            estimate(
                                    "communicationSeconds",
                                    Estimates::communicationSeconds,
                                    Figures::communicationSeconds),
                            estimate(
                                    "synchronizationSeconds",
                                    Estimates::synchronizationSeconds,
                                    Figures::synchronizationSeconds),
                            estimate(
                                    "hiddenSeconds",
                                    Estimates::hiddenSeconds,
                                    Figures::hiddenSeconds),
                            estimate(
                                    "encodeSeconds",
                                    Estimates::encodeSeconds,
                                    Figures::encodeSeconds),
                            estimate("bytesSent", Estimates::bytesSent, Figures::bytesSent),
                            estimate("samples", Estimates::samples, Figures::samples),
                            List.of(
                                    new Column(
                                            "elapsedSeconds",
                                            _ -> null,
                                            ComparedRun::elapsedSeconds),
                                    phase("phaseRendezvousSeconds", RunPhases::rendezvousSeconds),
                                    phase("phaseDataSeconds", RunPhases::dataSeconds),
                                    phase("phaseWarmUpSeconds", RunPhases::warmUpSeconds),
                                    phase("phaseRestoreSeconds", RunPhases::restoreSeconds),
                                    phase("phaseCalibrationSeconds", RunPhases::calibrationSeconds),
                                    phase("phaseTrainingSeconds", RunPhases::trainingSeconds),
                                    phase("phaseEvaluationSeconds", RunPhases::evaluationSeconds),
                                    phase("phaseCheckpointSeconds", RunPhases::checkpointSeconds),
                                    phase(
                                            "phaseCoordinationSeconds",
                                            RunPhases::coordinationSeconds)),
                            ratio(
                                    "timeToTargetSpeedup",
                                    Ratios::timeToTarget,
                                    RatioEstimates::timeToTarget),
                            ratio(
                                    "bytesToTargetRatio",
                                    Ratios::bytesToTarget,
                                    RatioEstimates::bytesToTarget),
                            ratio(
                                    "trainingSpeedup",
                                    Ratios::trainingTime,
                                    RatioEstimates::trainingTime),
                            ratio(
                                    "communicationSpeedup",
                                    Ratios::communicationTime,
                                    RatioEstimates::communicationTime),
                            ratio(
                                    "synchronizationSpeedup",
                                    Ratios::synchronizationTime,
                                    RatioEstimates::synchronizationTime),
                            ratio("bytesSentRatio", Ratios::bytesSent, RatioEstimates::bytesSent),
                            ratio("samplesRatio", Ratios::samples, RatioEstimates::samples),
                            spread(
                                    "accuracyDifference",
                                    ComparedGroup::accuracyDifference,
                                    _ -> null),
                            List.of(
                                    new Column(
                                            "commonSeeds",
                                            it -> it.commonSeeds().size(),
                                            _ -> null)))
                    .flatMap(List::stream)
                    .toList();

    /** Texts that spreadsheets take for formulas. */
    private static final Pattern FORMULA = Pattern.compile("[=+\\-@\t\r].*", Pattern.DOTALL);

    private ComparisonTable() {}

    /**
     * Writes comma-separated values (RFC 4180) with line feeds as line ends. A text that looks like
     * a formula gets a single quote in front, so that the name of an experiment cannot run code on
     * the machine that opens the file.
     */
    static String csv(Comparison comparison) {
        return rows(comparison)
                .map(cells ->
                        cells.stream().map(ComparisonTable::quoted).collect(joining(",", "", "\n")))
                .collect(joining());
    }

    /** Writes a table in GitHub Flavored Markdown. */
    static String markdown(Comparison comparison) {
        List<String> rule = Collections.nCopies(COLUMNS.size(), "--");
        List<List<?>> rows = new ArrayList<>(rows(comparison).toList());
        rows.add(1, rule);
        return rows.stream()
                .map(cells ->
                        cells.stream()
                                .map(ComparisonTable::escaped)
                                .collect(joining(" | ", "| ", " |\n")))
                .collect(joining());
    }

    private static Stream<List<?>> rows(Comparison comparison) {
        return Stream.of(
                        Stream.of(COLUMNS.stream().map(Column::name).toList()),
                        comparison.groups().stream().map(it -> row(it, Column::ofGroup)),
                        comparison.runs().stream().map(it -> row(it, Column::ofRun)))
                .flatMap(Function.identity());
    }

    private static <T> List<Object> row(
            T subject, Function<Column, Function<T, @Nullable Object>> cell) {
        return COLUMNS.stream()
                .map(column -> Objects.requireNonNullElse(cell.apply(column).apply(subject), ""))
                .toList();
    }

    private static String text(RunId run) {
        return run.value().toString();
    }

    private static List<Column> estimate(
            String name,
            Function<Estimates, @Nullable MeanEstimate> ofGroup,
            Function<Figures, @Nullable Object> ofRun) {
        return spread(
                name, group -> ofGroup.apply(group.figures()), run -> ofRun.apply(run.figures()));
    }

    /**
     * Returns three columns: the mean over the seeds and the two ends of its interval, which is the
     * range of two or three seeds.
     */
    private static List<Column> spread(
            String name,
            Function<ComparedGroup, @Nullable MeanEstimate> ofGroup,
            Function<ComparedRun, @Nullable Object> ofRun) {
        return List.of(
                new Column(name, part(ofGroup, MeanEstimate::mean), ofRun),
                new Column(name + "Low", part(ofGroup, MeanEstimate::low), _ -> null),
                new Column(name + "High", part(ofGroup, MeanEstimate::high), _ -> null));
    }

    private static Function<ComparedGroup, @Nullable Object> part(
            Function<ComparedGroup, @Nullable MeanEstimate> estimate,
            Function<MeanEstimate, @Nullable Object> part) {
        return group -> {
            MeanEstimate known = estimate.apply(group);
            return known == null ? null : part.apply(known);
        };
    }

    private static Column phase(String name, ToDoubleFunction<RunPhases> phase) {
        return new Column(
                name,
                _ -> null,
                run -> run.phases() == null ? null : phase.applyAsDouble(run.phases()));
    }

    /** Returns three columns, as {@link #spread} does; the baseline has no interval. */
    private static List<Column> ratio(
            String name,
            Function<Ratios, @Nullable Double> ratio,
            Function<RatioEstimates, @Nullable MeanEstimate> ratioEstimate) {
        List<Column> ends =
                spread(
                        name,
                        group ->
                                group.ratioEstimates() == null
                                        ? null
                                        : ratioEstimate.apply(group.ratioEstimates()),
                        _ -> null);
        Column central =
                new Column(
                        name,
                        group -> group.ratios() == null ? null : ratio.apply(group.ratios()),
                        run -> run.ratios() == null ? null : ratio.apply(run.ratios()));
        return List.of(central, ends.get(1), ends.get(2));
    }

    /** Quotes a cell; a number may begin with its sign. */
    private static String quoted(Object cell) {
        boolean isFormula = cell instanceof String text && FORMULA.matcher(text).matches();
        String shown = isFormula ? "'" + cell : cell.toString();
        return shown.matches("(?s).*[\",\r\n].*") ? '"' + shown.replace("\"", "\"\"") + '"' : shown;
    }

    /** Escapes characters that would end the cell, and HTML. */
    private static String escaped(Object cell) {
        return cell.toString()
                .replace("\\", "\\\\")
                .replace("|", "\\|")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replaceAll("\\R", " ");
    }
}
