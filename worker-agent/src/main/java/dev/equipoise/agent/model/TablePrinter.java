package dev.equipoise.agent.model;

import dev.equipoise.agent.model.PredictedSample.Candidate;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Prints the first predictions in columns, and the accuracy of all. */
final class TablePrinter implements PredictionPrinter {

    /** Number of printed predictions. */
    static final int ROWS = 20;

    private final PrintWriter out;
    private final ClassTexts classes;
    private final List<List<String>> rows = new ArrayList<>();

    TablePrinter(PrintWriter out, ClassTexts classes) {
        this.out = out;
        this.classes = classes;
        rows.add(header());
    }

    private List<String> header() {
        List<String> header = new ArrayList<>(List.of("sample", "label"));
        for (int rank = 1; rank <= classes.top(); rank++) {
            header.add(rank == 1 ? "predicted" : "or");
            header.add(classes.value());
        }
        return header;
    }

    @Override
    public void print(PredictedSample prediction) {
        if (rows.size() > ROWS) {
            return;
        }
        List<String> row = new ArrayList<>();
        row.add(sample(prediction));
        row.add(classes.nameOf(prediction.label()));
        for (Candidate candidate : prediction.candidates()) {
            row.add(classes.name(candidate.label()));
            row.add(ClassTexts.shown(candidate.value()));
        }
        rows.add(row);
    }

    /** Returns the number of a sample, and of the position behind the first one. */
    private static String sample(PredictedSample prediction) {
        return prediction.position() == 0
                ? Integer.toString(prediction.sample())
                : prediction.sample() + "/" + prediction.position();
    }

    @Override
    public void end(AccuracyCount accuracy) {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int column = 0; column < columns; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        rows.forEach(row -> out.println(line(row, widths)));
        long more = accuracy.predictions() - (rows.size() - 1);
        if (more > 0) {
            out.println("... and %d more; --output csv prints all".formatted(more));
        }
        out.println(accuracy.text());
    }

    private static String line(List<String> row, int[] widths) {
        var line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            String cell = row.get(column);
            line.append(column == 0 ? "" : "  ")
                    .append(cell)
                    .repeat(' ', widths[column] - cell.length());
        }
        return line.toString().stripTrailing();
    }
}
