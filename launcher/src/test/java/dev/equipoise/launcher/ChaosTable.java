package dev.equipoise.launcher;

import static java.util.stream.Collectors.joining;

import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Formats the outcomes of the chaos test as Markdown tables, with a row for each fault. */
final class ChaosTable {

    /** Mark of a cell without an outcome. */
    private static final String NONE = "-";

    private static final Locale LOCALE = Locale.ROOT;

    private final Map<ChaosCell, ChaosOutcome> outcomes = new HashMap<>();
    private final Map<Method, Double> undisturbed;

    private ChaosTable(Collection<ChaosOutcome> outcomes, Map<Method, Double> undisturbed) {
        outcomes.forEach(it -> this.outcomes.put(it.cell(), it));
        this.undisturbed = new EnumMap<>(undisturbed);
    }

    /**
     * Returns the tables of the faults and methods that were tried.
     *
     * @param undisturbed test accuracy of a run without a fault, by tried method; not empty
     */
    static String of(Collection<ChaosOutcome> outcomes, Map<Method, Double> undisturbed) {
        return new ChaosTable(outcomes, undisturbed).text();
    }

    private String text() {
        return """
        **Time to resume**: from the fault to the state RUNNING of the next generation, for each rank that the fault strikes in turn, rank 0 first. *on* means that the remaining ranks trained on without a stop, and got new shares at the end of the epoch.

        %s
        **Test accuracy** at the end of the run:

        %s
        **Generations** of the run, the first included:

        %s
        **Points of the loss curves** of all ranks: lost / doubled / not reported by a rank before it was lost:

        %s\
        """
                .formatted(
                        table(row("", it -> "`%s`".formatted(it.workers())), this::times),
                        table(row("no fault", this::undisturbedAccuracy), this::accuracies),
                        table("", this::generations),
                        table("", this::points));
    }

    /**
     * Returns a table.
     *
     * @param first row below the head; may be empty
     */
    private String table(String first, Function<List<Optional<ChaosOutcome>>, String> cell) {
        String head = row("fault", Method::toString);
        String rule = row("---", _ -> "---");
        return head + rule + first + faults().map(fault -> rowOf(fault, cell)).collect(joining());
    }

    private String rowOf(Fault fault, Function<List<Optional<ChaosOutcome>>, String> cell) {
        return row(fault.toString(), method -> cell.apply(outcomes(fault, method)));
    }

    private String row(String name, Function<Method, String> cell) {
        return undisturbed.keySet().stream()
                .map(cell)
                .collect(joining(" | ", "| %s | ".formatted(name), " |\n"));
    }

    private Stream<Fault> faults() {
        return outcomes.keySet().stream().map(ChaosCell::fault).distinct().sorted();
    }

    /** Returns the outcomes by rank; one if the fault strikes no agent in turn. */
    private List<Optional<ChaosOutcome>> outcomes(Fault fault, Method method) {
        return IntStream.range(0, fault.removesAnAgent() ? method.ranks() : 1)
                .mapToObj(rank ->
                        Optional.ofNullable(outcomes.get(new ChaosCell(fault, method, rank))))
                .toList();
    }

    /** Returns the time of each rank, or one text if all are equal. */
    private String times(List<Optional<ChaosOutcome>> ranks) {
        List<String> times =
                ranks.stream().map(it -> it.map(ChaosTable::time).orElse(NONE)).toList();
        return times.stream().distinct().count() == 1 ? times.getFirst() : String.join("; ", times);
    }

    private static String time(ChaosOutcome outcome) {
        return outcome.resumption().text();
    }

    private String undisturbedAccuracy(Method method) {
        return String.format(LOCALE, "%.4f", undisturbed.get(method));
    }

    private String accuracies(List<Optional<ChaosOutcome>> ranks) {
        return range("%.4f", ranks, ChaosOutcome::accuracy);
    }

    private String generations(List<Optional<ChaosOutcome>> ranks) {
        return range("%.0f", ranks, ChaosOutcome::generations);
    }

    /** Formats the least and the greatest of the figures that are known. */
    private static String range(
            String format,
            List<Optional<ChaosOutcome>> ranks,
            ToDoubleFunction<ChaosOutcome> figure) {
        DoubleSummaryStatistics known =
                ranks.stream().flatMap(Optional::stream).mapToDouble(figure).summaryStatistics();
        if (known.getCount() == 0) {
            return NONE;
        }
        String least = String.format(LOCALE, format, known.getMin());
        String greatest = String.format(LOCALE, format, known.getMax());
        return least.equals(greatest) ? least : "%s to %s".formatted(least, greatest);
    }

    private String points(List<Optional<ChaosOutcome>> ranks) {
        List<PointCount> points =
                ranks.stream().flatMap(Optional::stream).map(ChaosOutcome::points).toList();
        return points.isEmpty()
                ? NONE
                : "%d / %d / %d"
                        .formatted(
                                points.stream().mapToLong(PointCount::lost).sum(),
                                points.stream().mapToLong(PointCount::doubled).sum(),
                                points.stream().mapToLong(PointCount::sumUnreported).sum());
    }
}
