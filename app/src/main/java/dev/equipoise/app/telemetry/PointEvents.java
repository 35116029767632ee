package dev.equipoise.app.telemetry;

import dev.equipoise.app.telemetry.EventLog.Stored;
import dev.equipoise.app.telemetry.MetricStore.CurvePart;
import dev.equipoise.app.telemetry.MetricStore.Steps;
import dev.equipoise.protocol.RunReport.Observed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Bodies of the events of type {@code metrics}. The log stores which points an event has, and the
 * metric store has the points, so that each point is stored once.
 */
@Component
class PointEvents {

    private final MetricStore metrics;
    private final JsonMapper json;

    PointEvents(MetricStore metrics, JsonMapper json) {
        this.metrics = metrics;
        this.json = json;
    }

    /**
     * Body as it is stored.
     *
     * @param generation absent in events of earlier versions, which have the points themselves
     * @param first first step
     * @param last last step
     */
    private record Reference(
            String type, int rank, String name, long every, int generation, long first, long last) {

        CurvePart part(UUID run) {
            return new CurvePart(run, name, rank, generation);
        }
    }

    /** Body as readers get it. */
    private record Points(
            String type,
            int rank,
            String name,
            long every,
            List<Long> steps,
            List<Double> seconds,
            List<Double> values) {}

    /** Returns the body to store for points that the metric store has kept. */
    String body(int generation, Observed observed) {
        return json.writeValueAsString(
                new Reference(
                        EventLog.METRICS,
                        observed.rank(),
                        observed.metric(),
                        observed.every(),
                        generation,
                        observed.steps().getFirst(),
                        observed.steps().getLast()));
    }

    /**
     * Replaces the stored bodies by bodies with points. Points of rounds that are trained again are
     * missing.
     */
    List<Stored> withPoints(List<Stored> events) {
        Map<Long, Reference> references = new HashMap<>();
        Map<CurvePart, Steps> ranges = new HashMap<>();
        for (Stored event : events) {
            reference(event)
                    .ifPresent(it -> {
                        references.put(event.id(), it);
                        ranges.merge(
                                it.part(event.run()),
                                new Steps(it.first(), it.last()),
                                Steps::with);
                    });
        }
        if (references.isEmpty()) {
            return events;
        }
        Map<CurvePart, CurvePoints> points = metrics.points(ranges);
        return events.stream()
                .map(it -> withPoints(it, Optional.ofNullable(references.get(it.id())), points))
                .toList();
    }

    private Optional<Reference> reference(Stored event) {
        if (!event.type().equals(EventLog.METRICS)) {
            return Optional.empty();
        }
        JsonNode body = json.readTree(event.body());
        return body.has("generation")
                ? Optional.of(json.treeToValue(body, Reference.class))
                : Optional.empty();
    }

    private Stored withPoints(
            Stored event, Optional<Reference> reference, Map<CurvePart, CurvePoints> points) {
        return reference
                .map(it ->
                        event.with(
                                body(
                                        it,
                                        points.getOrDefault(
                                                it.part(event.run()), new CurvePoints()))))
                .orElse(event);
    }

    private String body(Reference reference, CurvePoints curve) {
        List<Long> steps = new ArrayList<>();
        List<Double> seconds = new ArrayList<>();
        List<Double> values = new ArrayList<>();
        for (int i = curve.indexOf(reference.first());
                i < curve.size() && curve.step(i) <= reference.last();
                i++) {
            steps.add(curve.step(i));
            seconds.add(curve.seconds(i));
            values.add(curve.value(i));
        }
        return json.writeValueAsString(
                new Points(
                        EventLog.METRICS,
                        reference.rank(),
                        reference.name(),
                        reference.every(),
                        steps,
                        seconds,
                        values));
    }
}
