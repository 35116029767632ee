package dev.equipoise.agent.model;

import dev.equipoise.agent.model.PredictedSample.Candidate;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Prints all predictions as CSV rows with a header; RFC 4180, but with line feeds alone. */
final class CsvPrinter implements PredictionPrinter {

    private final PrintWriter out;
    private final ClassTexts classes;

    CsvPrinter(PrintWriter out, ClassTexts classes) {
        this.out = out;
        this.classes = classes;
        List<String> header = new ArrayList<>(List.of("sample", "position", "label"));
        for (int rank = 1; rank <= classes.top(); rank++) {
            header.add("predicted" + rank);
            header.add(classes.value() + rank);
        }
        line(header);
    }

    @Override
    public void print(PredictedSample prediction) {
        List<String> row = new ArrayList<>();
        row.add(Integer.toString(prediction.sample()));
        row.add(Integer.toString(prediction.position()));
        row.add(classes.nameOf(prediction.label()));
        for (Candidate candidate : prediction.candidates()) {
            row.add(classes.name(candidate.label()));
            row.add(candidate.value() == null ? "" : candidate.value().toString());
        }
        line(row);
    }

    private void line(List<String> cells) {
        out.print(String.join(",", cells.stream().map(CsvPrinter::quoted).toList()) + "\n");
    }

    private static String quoted(String cell) {
        return cell.matches("[^,\"\\r\\n]*") ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }

    @Override
    public void end(AccuracyCount accuracy) {
        // Rows alone: the command says the accuracy on the error output.
    }
}
