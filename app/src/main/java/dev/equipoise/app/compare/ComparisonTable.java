package dev.equipoise.app.compare;

import static java.util.stream.Collectors.joining;

import dev.equipoise.protocol.RunId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A comparison as a table: a row for each group, then one for each run, in the same columns. What
 * is not known is empty.
 */
final class ComparisonTable {

    /** What the two kinds of rows say in one column. */
    private record Column(
            String name,
            Function<ComparedGroup, @Nullable Object> ofGroup,
            Function<ComparedRun, @Nullable Object> ofRun) {}

    private static final List<Column> COLUMNS =
            Stream.of(
                            List.of(
                                    new Column("row", _ -> "group", _ -> "run"),
                                    new Column("label", ComparedGroup::label, ComparedRun::label),
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
                                    ratio("timeToTargetSpeedup", Ratios::timeToTarget),
                                    ratio("bytesToTargetRatio", Ratios::bytesToTarget),
                                    ratio("trainingSpeedup", Ratios::trainingTime),
                                    ratio("communicationSpeedup", Ratios::communicationTime),
                                    ratio("synchronizationSpeedup", Ratios::synchronizationTime),
                                    ratio("bytesSentRatio", Ratios::bytesSent),
                                    ratio("samplesRatio", Ratios::samples)),
                            spread(
                                    "accuracyDifference",
                                    ComparedGroup::accuracyDifference,
                                    _ -> null))
                    .flatMap(List::stream)
                    .toList();

    /** What spreadsheets take for the beginning of a formula. */
    private static final Pattern FORMULA = Pattern.compile("[=+\\-@\t\r].*", Pattern.DOTALL);

    private ComparisonTable() {}

    /**
     * Comma-separated values (RFC 4180), lines ended by line feeds alone. Before a text that looks
     * like a formula stands a single quote: whoever named an experiment should not compute on the
     * machine of whoever opens the file.
     */
    static String csv(Comparison comparison) {
        return rows(comparison)
                .map(cells ->
                        cells.stream().map(ComparisonTable::quoted).collect(joining(",", "", "\n")))
                .collect(joining());
    }

    /** A table as GitHub reads it. */
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
            Function<Estimates, @Nullable Estimate> ofGroup,
            Function<Figures, @Nullable Object> ofRun) {
        return spread(
                name, group -> ofGroup.apply(group.figures()), run -> ofRun.apply(run.figures()));
    }

    /** The mean over the seeds in one column and the ends of its interval in two. */
    private static List<Column> spread(
            String name,
            Function<ComparedGroup, @Nullable Estimate> ofGroup,
            Function<ComparedRun, @Nullable Object> ofRun) {
        return List.of(
                new Column(name, part(ofGroup, Estimate::mean), ofRun),
                new Column(name + "Low", part(ofGroup, Estimate::low), _ -> null),
                new Column(name + "High", part(ofGroup, Estimate::high), _ -> null));
    }

    private static Function<ComparedGroup, @Nullable Object> part(
            Function<ComparedGroup, @Nullable Estimate> estimate,
            Function<Estimate, @Nullable Object> part) {
        return group -> {
            Estimate known = estimate.apply(group);
            return known == null ? null : part.apply(known);
        };
    }

    private static Column ratio(String name, Function<Ratios, @Nullable Double> ratio) {
        return new Column(
                name,
                group -> group.ratios() == null ? null : ratio.apply(group.ratios()),
                run -> run.ratios() == null ? null : ratio.apply(run.ratios()));
    }

    /** A number may begin with its sign. */
    private static String quoted(Object cell) {
        boolean isFormula = cell instanceof String text && FORMULA.matcher(text).matches();
        String shown = isFormula ? "'" + cell : cell.toString();
        return shown.matches("(?s).*[\",\r\n].*") ? '"' + shown.replace("\"", "\"\"") + '"' : shown;
    }

    /** Nothing ends the cell, and nothing is HTML. */
    private static String escaped(Object cell) {
        return cell.toString()
                .replace("\\", "\\\\")
                .replace("|", "\\|")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replaceAll("\\R", " ");
    }
}
