package dev.equipoise.agent.model;

import java.io.PrintWriter;

/** Output format of predictions. */
enum PredictionFormat {
    /** First predictions in columns, and the accuracy. */
    TABLE {
        @Override
        PredictionPrinter printer(PrintWriter out, ClassTexts classes) {
            return new TablePrinter(out, classes);
        }
    },

    /** One JSON object with all predictions and the accuracy. */
    JSON {
        @Override
        PredictionPrinter printer(PrintWriter out, ClassTexts classes) {
            return new JsonPrinter(out, classes);
        }
    },

    /** All predictions as rows with a header. */
    CSV {
        @Override
        PredictionPrinter printer(PrintWriter out, ClassTexts classes) {
            return new CsvPrinter(out, classes);
        }
    };

    abstract PredictionPrinter printer(PrintWriter out, ClassTexts classes);
}
