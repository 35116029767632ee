package dev.equipoise.agent.model;

import dev.equipoise.agent.model.PredictedSample.Candidate;
import java.io.PrintWriter;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;

/** Prints one JSON object with all predictions and the accuracy. */
final class JsonPrinter implements PredictionPrinter {

    private static final JsonFactory JSON =
            JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

    private final PrintWriter out;
    private final ClassTexts classes;
    private final JsonGenerator json;

    JsonPrinter(PrintWriter out, ClassTexts classes) {
        this.out = out;
        this.classes = classes;
        this.json = JSON.createGenerator(ObjectWriteContext.empty(), out);
        json.writeStartObject();
        json.writeArrayPropertyStart("predictions");
    }

    @Override
    public void print(PredictedSample prediction) {
        json.writeStartObject();
        json.writeNumberProperty("sample", prediction.sample());
        json.writeNumberProperty("position", prediction.position());
        if (prediction.label() != null) {
            json.writeStringProperty("label", classes.name(prediction.label()));
        }
        json.writeArrayPropertyStart("classes");
        prediction.candidates().forEach(this::print);
        json.writeEndArray();
        json.writeEndObject();
    }

    private void print(Candidate candidate) {
        json.writeStartObject();
        json.writeStringProperty("class", classes.name(candidate.label()));
        if (candidate.value() != null) {
            json.writeNumberProperty(classes.value(), candidate.value());
        }
        json.writeEndObject();
    }

    @Override
    public void end(AccuracyCount accuracy) {
        json.writeEndArray();
        json.writeNumberProperty("count", accuracy.predictions());
        if (accuracy.isKnown()) {
            json.writeNumberProperty("correct", accuracy.correct());
            json.writeNumberProperty("accuracy", accuracy.accuracy());
        }
        json.writeEndObject();
        json.close();
        out.print("\n");
    }
}
